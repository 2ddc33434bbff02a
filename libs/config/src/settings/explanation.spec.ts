import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { KeyRing, passwordRingKey } from '@tessera/crypto';
import { makeFolder, removeFolder } from '../../../../test/support/folders.js';
import { load } from '../../../../test/support/settings-directory.js';

async function explained(...given: Parameters<typeof load>): Promise<Record<string, unknown>> {
  const rows = (await load(...given)).explain();
  return Object.fromEntries(rows.map(({ key, value, origin }) => [key, [value, origin]]));
}

test('lists each key with its value and origin', async () => {
  const rows = await explained(
    {
      'config/sso-a.yml': 'sso.tickets.tgt.max-lifetime: 1h\nlogging.level.x: debug',
      'config/sso.properties': 'sso.modules=rest,  x509',
    },
    { argv: ['--sso.port=1'], env: { PROFILES_ACTIVE: 'a,dev' } },
  );
  expect(rows).toMatchObject({
    'sso.port': ['1', 'command line'],
    'profiles.active': ['a,dev', 'environment PROFILES_ACTIVE'],
    'sso.tickets.tgt.max-lifetime': ['1h', 'config/sso-a.yml:1'],
    'sso.modules': ['rest,  x509', 'config/sso.properties:1'],
    'sso.host': ['127.0.0.1', 'default of profile dev'],
    'sso.dialect': ['documented', 'default'],
    'sso.users': ['{}', 'default'],
    'sso.security.password': ['', 'default'],
    'logging.level.x': ['debug', 'config/sso-a.yml:2'],
  });
  expect(Object.keys(rows)).toEqual(Object.keys(rows).toSorted());
  expect(rows).not.toHaveProperty(['logging.level']);
});

test('shows no secret, in any spelling', async () => {
  const key = { alias: 'p', password: 'geheim', salt: 'deadbeef', format: 'aes-gcm' } as const;
  const ring = new KeyRing([await passwordRingKey(key)]);
  const rows = await explained(
    {},
    {
      env: {
        SSO_SECURITY_PASSWORD: 'geheim',
        DATABASE_URL: 'postgresql://sso:geheim@db/sso',
        SSO_STANDALONE_SECURITY_PASSWORD: 'geheim',
        SSO_BASE_URL: `{cipher}${await ring.encrypt(Buffer.from('geheim'))}`,
      },
    },
  );
  expect(rows).toMatchObject({
    'sso.security.password': ['[secret]', 'environment SSO_SECURITY_PASSWORD'],
    'sso.standalone.security.password': ['[secret]', expect.anything()],
    'database.url': ['postgresql://sso:…@db/sso', 'environment DATABASE_URL'],
    'sso.base-url': ['[secret]', 'environment SSO_BASE_URL'],
  });
  expect(JSON.stringify(rows)).not.toContain('geheim');
});

describe('a value is masked by its origin, whatever its key is:', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await makeFolder();
    await writeFile(join(folder, 'sso.base-url'), 'https://geheim\n');
  });
  afterAll(() => removeFolder(folder));

  const ofVault = (key: string, value: unknown) => ({
    sources: [
      {
        load: () =>
          Promise.resolve({
            values: [{ key, value, origin: 'vault secret/sso', isProtected: true }],
            violations: [],
          }),
      },
    ],
  });

  test.each<[string, string, () => Parameters<typeof load>[1]]>([
    ['a credential file', 'sso.base-url', () => ({ credentialDirectories: [folder] })],
    ['a text of Vault', 'sso.host', () => ofVault('sso.host', 'geheim')],
    ['a number of Vault', 'sso.port', () => ofVault('sso', { port: 4711 })],
    ['a list of Vault', 'sso.modules', () => ofVault('sso.modules', ['rest', 'geheim'])],
    ['a map of Vault', 'sso.users', () => ofVault('sso', { users: { a: { b: 'geheim' } } })],
    ['a logger of Vault', 'logging.level.x', () => ofVault('logging', { level: { x: 'debug' } })],
  ])('%s', async (_what, key, context) => {
    const rows = await explained({}, context());
    expect(rows[key]).toEqual(['[secret]', expect.anything()]);
    expect(JSON.stringify(rows)).not.toMatch(/geheim|4711/);
  });

  test('one that a stronger, plain source replaces is shown', async () => {
    const rows = await explained({}, { ...ofVault('sso.host', 'geheim'), argv: ['--sso.host=a'] });
    expect(rows['sso.host']).toEqual(['a', 'command line']);
  });
});
