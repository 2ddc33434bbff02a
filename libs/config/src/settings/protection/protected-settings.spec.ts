import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { envelopeRingKey, KeyRing, newKeyFile, readKeyFile } from '@tessera/crypto';
import { cipherVectors } from '../../../../../test/support/cipher-vectors.js';
import { makeFolder, removeFolder } from '../../../../../test/support/folders.js';
import {
  PASSWORD,
  protectedText,
  securityEnvironment,
} from '../../../../../test/support/protected-values.js';
import { load } from '../../../../../test/support/settings-directory.js';

let folder: string;
/** Encrypted with the password. */
let cipher: string;

beforeAll(async () => {
  folder = await makeFolder();
  cipher = await protectedText('http://plain');
  await file('password', `${PASSWORD}\n`);
});
afterAll(() => removeFolder(folder));

async function file(name: string, content: string): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, content, { mode: 0o600 });
  return path;
}

describe('a protected value is decrypted', () => {
  const env = securityEnvironment({ PASSWORD });
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
        return [
          {},
          { env, sources: [{ load: () => Promise.resolve({ values, violations: [] }) }] },
        ];
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
    ['from the environment', () => ({ env: securityEnvironment({ PASSWORD }) })],
    [
      'from a file',
      () => ({ env: securityEnvironment({ PASSWORD: `@${join(folder, 'password')}` }) }),
    ],
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
  /** One vector of each provider and kind of vector, with few iterations; the cipher's own spec has all algorithms. */
  const ofEachKind = new Map(
    cipherVectors('jasypt')
      .filter(({ iterations }) => iterations === '1')
      .map((row) => [`${row.provider} ${row.iv}`, row]),
  );

  test.each([...ofEachKind.values()])('$alg $provider, $iterations iterations', async (row) => {
    const env = securityEnvironment({
      PASSWORD: row.password,
      ALGORITHM: row.alg,
      ITERATIONS: row.iterations,
      PROVIDER: row.provider,
      INITIALIZATION_VECTOR: row.iv,
    });
    const files = { 'config/sso.properties': `sso.security.password={cipher}${row.cipher}` };
    expect((await load(files, { env })).settings.password?.reveal()).toBe(row.plain);
  });

  test.each([...cipherVectors('text'), ...cipherVectors('delux')])(
    'of Spring, $kind with salt $salt',
    async ({ password, salt, cipher: text, plain }) => {
      const files = { 'config/sso.properties': `sso.security.password={cipher}${text}` };
      const env = securityEnvironment({ PASSWORD: password, SALT: salt });
      expect((await load(files, { env })).settings.password?.reveal()).toBe(plain);
    },
  );

  test.each(cipherVectors('rsa'))('of Spring, RSA $alg, strong $strong', async (row) => {
    const env = securityEnvironment({
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
    const { settings } = await load(files, { env: securityEnvironment({ KEY_FILES: path }) });
    expect(settings.password?.reveal()).toBe('x');
  });
});
