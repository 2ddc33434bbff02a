import { describe, expect, test } from '@jest/globals';
import type { ReadyMessage } from '@tessera/server';
import { welcome } from './start.js';

const SSO = 'http://localhost:8080/cas';
const EMBEDDED = 'embedded PostgreSQL in .data/postgres';

function welcomeOf(announced: Partial<ReadyMessage>): string {
  const announcement = { listening: SSO, isDemo: true, hasOwnDatabase: true, ...announced };
  return welcome(new Map([['sso', announcement]]));
}

describe('the welcome', () => {
  test('does not mention a database that is not embedded', () => {
    const text = welcomeOf({ hasOwnDatabase: false });
    expect(text).not.toMatch(/PostgreSQL|\.data/);
    expect(text).toContain('demo user casuser with password Mellon,\nservices on localhost.\n');
    expect(text).not.toContain('npm run demo');
  });

  test('shows no examples where they would not work', () => {
    expect(welcomeOf({ isDemo: false })).toBe(`
Tessera is running.
  SSO API        ${SSO}

Ctrl-C stops everything.

`);
  });

  test('names the login page first', () => {
    const loginPage = `${SSO}/login`;
    expect(welcomeOf({ loginPage })).toContain(
      `Tessera is running.\n  login page     ${loginPage}\n  SSO API        ${SSO}\n`,
    );
  });

  test('names the issuer of OpenID Connect', () => {
    const issuer = `${SSO}/oidc`;
    expect(welcomeOf({ issuer })).toContain(
      `\n  SSO API        ${SSO}\n  OpenID Connect ${issuer}\n`,
    );
  });

  test('names the console for operators', () => {
    const console = 'http://console.localhost:8081/console/';
    expect(welcomeOf({ console })).toContain(`\n  console        ${console}\n`);
  });

  test('names where the metrics are', () => {
    expect(welcomeOf({ isDemo: false, management: 'http://127.0.0.1:8081' })).toContain(
      `\n  SSO API        ${SSO}\n  SSO metrics    http://127.0.0.1:8081/metrics\n`,
    );
  });

  test('names the demo where there is a login page', () => {
    expect(welcomeOf({ loginPage: `${SSO}/login` })).toContain(
      `with three demo applications:\n\n  CAS_URL=${SSO} npm run demo\n`,
    );
  });

  test('names the command where it has the same database', () => {
    const announcement = { listening: SSO, isDemo: true, hasOwnDatabase: true };
    const text = welcome(new Map([['sso', announcement]]), '/opt/tessera');
    expect(text).toContain('\n\n  /opt/tessera/bin/tessera user add ann\n\nCtrl-C');
    expect(welcomeOf({})).not.toContain('bin/tessera');
  });

  test('names the directory of an embedded database', () => {
    expect(welcomeOf({})).toContain(`demo user casuser with password Mellon, ${EMBEDDED},\n`);
  });
});
