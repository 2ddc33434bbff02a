// Requests to `/actuator/refresh` of the SSO, with their credentials, and a record of the log.
import { afterAll, afterEach, beforeAll, beforeEach, expect } from '@jest/globals';
import { configureLogging } from '@tessera/logging';
import { http, type Call, type Reply } from './http.js';
import type { Sso } from './sso.js';

export type Headers = Readonly<Record<string, string>>;

export const TOKEN = 'management-token-0123456789';
export const USERS = '--sso.authentication.static.users=casuser::Mellon,ann::Mellon';

export function refresh(sso: Sso, headers: Headers = {}, call: Call = {}): Promise<Reply> {
  const all = { ...headers, ...call.headers };
  return http('POST', sso.url, '/actuator/refresh', { ...call, headers: all });
}

/** @param credentials `name:password` */
export function basic(credentials: string): Headers {
  return { authorization: `Basic ${Buffer.from(credentials).toString('base64')}` };
}

export function bearer(token: string): Headers {
  return { authorization: `Bearer ${token}` };
}

/** Records the log of each test, and fails a test that logs a credential. @returns the lines of the current test */
export function recordLog(): () => readonly string[] {
  let lines: string[] = [];
  beforeAll(() => {
    configureLogging({ application: 'test', levels: {}, write: (line) => lines.push(line) });
  });
  beforeEach(() => {
    lines = [];
  });
  afterEach(() => expect(lines.join('')).not.toMatch(/management-token|Mellon|x{99}/));
  afterAll(() => configureLogging({ application: 'test', levels: { root: 'warn' } }));
  return () => lines;
}
