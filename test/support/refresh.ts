// The endpoint that has settings read anew, as its callers ask it, and the settings of the SSO that say who may.
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

/** @param credentials name and password, a colon between them */
export function basic(credentials: string): Headers {
  return { authorization: `Basic ${Buffer.from(credentials).toString('base64')}` };
}

export function bearer(token: string): Headers {
  return { authorization: `Bearer ${token}` };
}

/** For each test of a spec, which fails where a proof is in the log. @returns the lines of the log so far */
export function recordLog(): () => readonly string[] {
  let lines: string[] = [];
  beforeAll(() => {
    configureLogging({ application: 'test', levels: {}, write: (line) => lines.push(line) });
  });
  beforeEach(() => {
    lines = [];
  });
  /** Whatever was sent as a proof is nobody's to read. */
  afterEach(() => expect(lines.join('')).not.toMatch(/management-token|Mellon|x{99}/));
  afterAll(() => configureLogging({ application: 'test', levels: { root: 'warn' } }));
  return () => lines;
}
