import { describe, expect, test } from '@jest/globals';
import type { ReadyMessage } from '@tessera/server';
import { welcome } from './welcome.js';

const SSO = 'http://localhost:8080/cas';
const EMBEDDED = 'embedded PostgreSQL in .data/postgres';

function welcomeOf(announced: Partial<ReadyMessage>): string {
  const announcement = { listening: SSO, isDemo: true, hasOwnDatabase: true, ...announced };
  return welcome(new Map([['sso', announcement]]));
}

describe('the welcome', () => {
  test('says nothing of a database that is not embedded', () => {
    const text = welcomeOf({ hasOwnDatabase: false });
    expect(text).not.toMatch(/PostgreSQL|\.data/);
    expect(text).toContain(
      'demo user casuser with password Mellon,\nservices on localhost. Log in,',
    );
  });

  test('says nothing of what to try where that would not work', () => {
    expect(welcomeOf({ isDemo: false })).toBe(`
Tessera is running.
  SSO API        ${SSO}

Ctrl-C stops everything.

`);
  });

  test('says where an embedded database is', () => {
    expect(welcomeOf({})).toContain(`demo user casuser with password Mellon, ${EMBEDDED},\n`);
  });
});
