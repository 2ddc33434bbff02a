import { mkdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  KeyRing,
  newKeyFile,
  passwordRingKey,
  readKeyFile,
  envelopeRingKey,
} from '@tessera/crypto';
import { cipherVectors } from '../../../../test/support/cipher-vectors.js';
import { makeFolder, removeFolder } from '../../../../test/support/folders.js';
import { load, problemsOf } from '../../../../test/support/settings-directory.js';

const PREFIX = 'SSO_STANDALONE_SECURITY_';
const PASSWORD = 'Mellon: speak, friend';
const NO_KEY =
  'is protected, and there is no key: give sso.standalone.security.password in the environment, or as @<file>';
const UNREADABLE = 'cannot be decrypted with the password and keys of sso.standalone.security.*';

let folder: string;
/** Of the password. */
let cipher: string;

beforeAll(async () => {
  folder = await makeFolder();
  const key = { alias: 'p', password: PASSWORD, salt: 'deadbeef', format: 'aes-gcm' } as const;
  cipher = await new KeyRing([await passwordRingKey(key)]).encrypt(Buffer.from('http://plain'));
  await file('password', `${PASSWORD}\n`);
});
afterAll(() => removeFolder(folder));

async function file(name: string, content: string): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, content, { mode: 0o600 });
  return path;
}

function security(given: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(given).map(([name, value]) => [PREFIX + name, value]));
}

describe('a protected value is decrypted', () => {
  const env = security({ PASSWORD });
  const yaml = (value: string) => ({ 'config/sso.yml': `sso.base-url: '${value}'` });

  test.each<[string, () => Parameters<typeof load>]>([
    ['in YAML', () => [yaml(`{cipher}${cipher}`), { env }]],
    ['under its other mark', () => [yaml(`{cas-cipher}${cipher}`), { env }]],
    [
      'in properties',
      () => [{ 'config/sso.properties': `sso.base-url={cipher}${cipher}` }, { env }],
    ],
    ['in the environment', () => [{}, { env: { ...env, SSO_BASE_URL: `{cipher}${cipher}` } }]],
    ['on the command line', () => [{}, { env, argv: [`--sso.base-url={cipher}${cipher}`] }]],
    [
      'of a remote source',
      () => {
        const values = [
          { key: 'sso', value: { 'base-url': `{cipher}${cipher}` }, origin: 'vault' },
        ];
        return [{}, { env, sources: [{ load: () => Promise.resolve({ values, problems: [] }) }] }];
      },
    ],
  ])('%s', async (_where, given) => {
    expect((await load(...given())).settings.baseUrl).toBe('http://plain');
  });

  test('as an element of a list, and in a map', async () => {
    const value = `{cipher}${cipher}`;
    const files = {
      'config/sso.yml': `sso: {modules: [a, '${value}'], users: {x: {mail: '${value}'}}}`,
    };
    const { settings } = await load(files, { env });
    expect(settings.modules).toEqual(['a', 'http://plain']);
    expect(settings.users).toEqual({ x: { mail: ['http://plain'] } });
  });
});

describe('the password comes', () => {
  const files = () => ({ 'config/sso.yml': `sso.base-url: '{cipher}${cipher}'` });
  const withCredentials = async (name: string) => {
    const directory = join(folder, name);
    await mkdir(directory, { recursive: true });
    await writeFile(join(directory, 'sso.standalone.security.password'), `${PASSWORD}\n`);
    await writeFile(join(directory, 'another'), 'not ours');
    return directory;
  };

  test.each<[string, () => Parameters<typeof load>[1] | Promise<Parameters<typeof load>[1]>]>([
    ['from the environment', () => ({ env: security({ PASSWORD }) })],
    ['from a file', () => ({ env: security({ PASSWORD: `@${join(folder, 'password')}` }) })],
    [
      'from a file of the command line',
      () => ({ argv: [`--sso.standalone.security.password=@${join(folder, 'password')}`] }),
    ],
    [
      'as a credential of systemd',
      async () => ({ env: { CREDENTIALS_DIRECTORY: await withCredentials('systemd') } }),
    ],
    [
      'as a secret of Docker',
      async () => ({ credentialDirectories: [await withCredentials('docker')] }),
    ],
  ])('%s', async (_where, context) => {
    expect((await load(files(), await context())).settings.baseUrl).toBe('http://plain');
  });
});

describe('each cipher is read', () => {
  /** One of each: the ciphers have their own specs. */
  const ofEachAlgorithm = new Map(
    cipherVectors('jasypt').map((row) => [`${row.alg} ${row.provider} ${row.iv}`, row]),
  );

  test.each([...ofEachAlgorithm.values()])(
    '$alg $provider, $iterations iterations',
    async (row) => {
      const env = security({
        PASSWORD: row.password,
        ALGORITHM: row.alg,
        ITERATIONS: row.iterations,
        PROVIDER: row.provider,
        INITIALIZATION_VECTOR: row.iv,
      });
      const files = { 'config/sso.properties': `sso.security.password={cipher}${row.cipher}` };
      expect((await load(files, { env })).settings.password?.reveal()).toBe(row.plain);
    },
  );

  test.each([...cipherVectors('text'), ...cipherVectors('delux')])(
    'of Spring, $kind with salt $salt',
    async ({ password, salt, cipher: text, plain }) => {
      const files = { 'config/sso.properties': `sso.security.password={cipher}${text}` };
      const env = security({ PASSWORD: password, SALT: salt });
      expect((await load(files, { env })).settings.password?.reveal()).toBe(plain);
    },
  );

  test.each(cipherVectors('rsa'))('of Spring, RSA $alg, strong $strong', async (row) => {
    const env = security({
      KEY_FILES: await file('rsa.pem', row.pem),
      RSA_ALGORITHM: row.alg,
      RSA_STRONG: row.strong,
      RSA_SALT: row.salt,
    });
    const files = { 'config/sso.properties': `sso.security.password={cipher}${row.cipher}` };
    expect((await load(files, { env })).settings.password?.reveal()).toBe(row.plain);
  });

  test('of a key file of ours', async () => {
    const path = await file('ours.key', newKeyFile('k1'));
    const key = await readKeyFile(path);
    if (key.kind === 'rsa') throw new Error('no key of ours');
    const text = await new KeyRing([envelopeRingKey(key.key)]).encrypt(Buffer.from('x'));
    const files = { 'config/sso.properties': `sso.security.password={cipher}${text}` };
    const { settings } = await load(files, { env: security({ KEY_FILES: path }) });
    expect(settings.password?.reveal()).toBe('x');
  });
});

describe('the start is refused, and no text quoted, for', () => {
  const files = () => ({ 'config/sso.yml': `sso.base-url: '{cipher}${cipher}'` });
  const at = 'sso.standalone.security';

  test.each<[string, () => Parameters<typeof problemsOf>, readonly string[]]>([
    ['no key', () => [files()], [`sso.base-url: ${NO_KEY} (config/sso.yml:1)`]],
    [
      'another password',
      () => [files(), { env: security({ PASSWORD: 'geheim' }) }],
      [`sso.base-url: ${UNREADABLE} (config/sso.yml:1)`],
    ],
    [
      'a text that is none',
      () => [
        { 'config/sso.yml': "sso.base-url: '{cipher}geheim'" },
        { env: security({ PASSWORD }) },
      ],
      [`sso.base-url: ${UNREADABLE} (config/sso.yml:1)`],
    ],
    [
      'several values, each',
      () => [
        { 'config/sso.yml': "sso: {base-url: '{cipher}a', host: '{cipher}b', port: x}" },
        { env: security({ PASSWORD }) },
      ],
      [
        `sso.base-url: ${UNREADABLE} (config/sso.yml:1)`,
        `sso.host: ${UNREADABLE} (config/sso.yml:1)`,
        'sso.port: must be a whole number ("x", config/sso.yml:1)',
      ],
    ],
    [
      'a password file that is not there',
      () => [{}, { env: security({ PASSWORD: '@/nowhere/password' }) }],
      [`${at}.password: names a file that cannot be read: /nowhere/password (ENOENT)`],
    ],
    [
      'a key file that is not there',
      () => [{}, { env: security({ KEY_FILES: '/nowhere/a.key' }) }],
      [expect.stringContaining(`${at}.key-files: `) as unknown as string],
    ],
    [
      'an algorithm that is none',
      () => [{}, { env: security({ PASSWORD, ALGORITHM: 'PBEWithX' }) }],
      [
        expect.stringContaining(
          `${at}.algorithm: the algorithm "PBEWithX" is not supported`,
        ) as unknown as string,
      ],
    ],
    [
      'a password beside what it protects',
      () => [{ 'config/sso.yml': `${at}.password: geheim` }],
      [
        `${at}.password: is what protected values are decrypted with: give it in the environment, or as a credential of its own, not beside them (config/sso.yml:1)`,
      ],
    ],
    [
      'a protected password',
      () => [{}, { env: security({ PASSWORD: '{cipher}geheim' }) }],
      [
        `${at}.password: may not be protected: it is needed before anything can be decrypted (environment SSO_STANDALONE_SECURITY_PASSWORD)`,
      ],
    ],
    [
      'a protected profile',
      () => [{}, { env: { PROFILES_ACTIVE: '{cipher}geheim' } }],
      [
        'profiles.active: may not be protected: it is needed before anything can be decrypted (environment PROFILES_ACTIVE)',
      ],
    ],
    [
      'a decrypted value that is wrong',
      () => [
        { 'config/sso.yml': `sso.port: '{cipher}${cipher}'` },
        { env: security({ PASSWORD }) },
      ],
      ['sso.port: must be a whole number (config/sso.yml:1)'],
    ],
    [
      'an unknown selector',
      () => [
        { 'config/sso.yml': `sso.base-url: '{cipher}{kid:x}${cipher}'` },
        { env: security({ PASSWORD }) },
      ],
      [
        'sso.base-url: cannot be decrypted: unknown selector {kid:…}: write {plain} before a text that starts so (config/sso.yml:1)',
      ],
    ],
  ])('%s', async (_what, given, problems) => {
    expect(await problemsOf(...given())).toEqual(problems);
  });

  test('a credential that cannot be read', async () => {
    const directory = join(folder, 'closed');
    await mkdir(join(directory, 'sso.port'), { recursive: true });
    expect(await problemsOf({}, { credentialDirectories: [directory] })).toEqual([
      `sso.port: cannot be read (EISDIR) (${directory}/sso.port)`,
    ]);
  });
});

describe('a password on the command line', () => {
  const key = '--sso.standalone.security.password';

  test('is warned of, and not quoted', async () => {
    expect((await load({}, { argv: [`${key}=geheim`] })).warnings).toEqual([
      'sso.standalone.security.password stands on the command line, where every user of the machine can read it',
    ]);
  });

  test.each([[[`${key}=@${join(tmpdir(), 'nothing')}`]], [[`${key}=`]], [[]]])(
    'is not, where there is none: %j',
    async (argv) => {
      const loaded = await load({}, { argv }).catch(() => ({ warnings: [] }));
      expect(loaded.warnings).toEqual([]);
    },
  );
});
