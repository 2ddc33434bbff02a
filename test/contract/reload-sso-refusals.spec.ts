// Reloads of the SSO that are refused as a whole, or leave settings to the next restart, and what a reload warns of.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { THROTTLE, TICKETS_AND_ANSWERS } from '../support/reload-effects.js';
import { ReloadableSso, type Settings } from '../support/reloadable-sso.js';
import { BASE_URL } from '../support/sso.js';

/** What right settings beside the wrong one would change. */
const EFFECTS = [...TICKETS_AND_ANSWERS, THROTTLE];

let server: ReloadableSso;

beforeAll(async () => {
  server = await ReloadableSso.start();
});
afterAll(() => server.close());
beforeEach(() => server.reset());

describe('a reload is refused as a whole for', () => {
  test.each<[string, () => Settings, RegExp]>([
    [
      'a role that is no pattern',
      () => ({ 'sso.rest.services.role-value': '(' }),
      /^sso\.rest\.services\.role-value: .*sso\.yml/,
    ],
    [
      'half a role',
      () => ({ 'sso.rest.services.role-value': '' }),
      /^sso\.rest\.services\.role-value: is required with sso\.rest\.services\.role-name/,
    ],
    [
      'a CA file that is not there',
      () => ({ 'sso.rest.x509.ca-file': '/none.pem' }),
      /^sso\.rest\.x509\.ca-file: .*\/none\.pem/,
    ],
    [
      'a CA file that holds no authority',
      () => ({ 'sso.rest.x509.ca-file': join(server.certificates.folder, 'no-ca.pem') }),
      /^sso\.rest\.x509\.ca-file: .*no-ca\.pem/,
    ],
    [
      'a CA file of the directory that is not there',
      () => ({ 'sso.authentication.ldap.ca-file': '/none.pem' }),
      /^sso\.authentication\.ldap\.ca-file: .*\/none\.pem/,
    ],
    [
      'an attribute that no subject has',
      () => ({ 'sso.rest.x509.principal': 'attribute:nonsense' }),
      /^sso\.rest\.x509\.principal: /,
    ],
    [
      'users that are none',
      () => ({ 'sso.authentication.static.users': ['ann'] }),
      /^sso\.authentication\.static\.users: /,
    ],
  ])('%s', async (_what, settings, problem) => {
    const others = EFFECTS.map((effect) => effect.settings(server));
    const outcome = await server.change(Object.assign({}, ...others, settings()) as Settings);
    expect(outcome).toEqual({ problems: [expect.stringMatching(problem)] });
    for (const { seen, before } of EFFECTS) expect(await seen(server)).toEqual(before);
    expect(await server.sso.reload()).toEqual(outcome);
    expect(JSON.stringify(server.logLines)).not.toContain('Mellon');
  });

  test('a file that was good, and is so no more', async () => {
    const path = join(server.certificates.folder, 'ldap-ca.pem');
    const good = await readFile(join(server.certificates.folder, 'ca0.pem'));
    await writeFile(path, good);
    await server.change({ 'sso.authentication.ldap.ca-file': path });
    await writeFile(path, 'no certificate');
    const problem = expect.stringMatching(/^sso\.authentication\.ldap\.ca-file: .*ldap-ca\.pem/);
    expect(await server.sso.reload()).toEqual({ problems: [problem] });
    expect(await server.login('alice')).toBe(400);
    await writeFile(path, good);
    expect(await server.sso.reload()).toEqual({ changed: [], restart: [], files: [path] });
  });
});

describe('a reload changes', () => {
  test('nothing, where nothing has changed', async () => {
    expect(await server.sso.reload()).toEqual({ changed: [], restart: [] });
  });
});

describe('a reload leaves', () => {
  test.each([
    ['sso.port', 4711],
    ['sso.workers', '2'],
    ['sso.services.import', './services'],
    ['sso.services.skip-unreadable', true],
  ])('%s to the next restart, and says so', async (key, value) => {
    expect(await server.change({ [key]: value, 'sso.dialect': 'apereo' })).toEqual({
      changed: [key, 'sso.dialect'].toSorted(),
      restart: [key],
    });
    const { headers } = await server.post({ username: 'ann', password: 'Mellon' });
    expect(headers['location']).toMatch(new RegExp(`^${BASE_URL}/v1/tickets/TGT-[A-Za-z0-9]+$`));
    await server.change({});
  });
});

describe('what is risky', () => {
  const warnings = (): string[] =>
    server.logLines.filter((line) => line.includes('"level":"warn"'));

  test('is logged when a reload causes it', async () => {
    await server.change({ 'sso.throttle.rest.enabled': true });
    expect(warnings()).toEqual([]);
    await server.change({
      'sso.rest.services.role-name': '',
      'sso.rest.services.role-value': '',
      'sso.rest.x509.trusted-hosts': '',
    });
    expect(warnings()).toEqual([
      expect.stringContaining('failed logins over REST are not throttled'),
      expect.stringContaining('nobody may register services'),
      expect.stringContaining('module rest-x509 accepts no certificate'),
    ]);
  });

  test('is not notified again, nor of refused settings', async () => {
    await server.change({ 'sso.dialect': 'apereo' });
    await server.change({
      'sso.rest.x509.trusted-hosts': '',
      'sso.rest.x509.ca-file': '/none.pem',
    });
    expect(warnings().map((line) => (JSON.parse(line) as { msg: string }).msg)).toEqual([
      'settings were not reloaded: the current ones stay',
    ]);
  });
});
