import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { makeFolder, removeFolder } from '../../../../../test/support/folders.js';
import {
  PASSWORD,
  protectedText,
  securityEnvironment,
  UNREADABLE,
} from '../../../../../test/support/protected-values.js';
import { violationsOf } from '../../../../../test/support/settings-directory.js';
import { CoreSettings } from '../core-settings.js';
import { loadSettings } from '../load-settings.js';
import { secret } from '../parsers/scalars.js';
import type { Secret } from '../secret.js';
import { Setting } from '../setting.js';

const NO_KEY =
  'is protected, and there is no key: give sso.standalone.security.password in the environment, or as @<file>';

let folder: string;
/** Encrypted with the password. */
let cipher: string;

beforeAll(async () => {
  folder = await makeFolder();
  cipher = await protectedText('http://plain');
});
afterAll(() => removeFolder(folder));

describe('the start is refused, and no text quoted, for', () => {
  const files = () => ({ 'config/sso.yml': `sso.base-url: '{cipher}${cipher}'` });
  const at = 'sso.standalone.security';

  test.each<[string, () => Parameters<typeof violationsOf>, readonly string[]]>([
    ['no key', () => [files()], [`sso.base-url: ${NO_KEY} (config/sso.yml:1)`]],
    [
      'another password',
      () => [files(), { env: securityEnvironment({ PASSWORD: 'geheim' }) }],
      [`sso.base-url: ${UNREADABLE} (config/sso.yml:1)`],
    ],
    [
      'a text that is none',
      () => [
        { 'config/sso.yml': "sso.base-url: '{cipher}geheim'" },
        { env: securityEnvironment({ PASSWORD }) },
      ],
      [`sso.base-url: ${UNREADABLE} (config/sso.yml:1)`],
    ],
    [
      'several values, each',
      () => [
        { 'config/sso.yml': "sso: {base-url: '{cipher}a', host: '{cipher}b', port: x}" },
        { env: securityEnvironment({ PASSWORD }) },
      ],
      [
        `sso.base-url: ${UNREADABLE} (config/sso.yml:1)`,
        `sso.host: ${UNREADABLE} (config/sso.yml:1)`,
        'sso.port: must be a whole number ("x", config/sso.yml:1)',
      ],
    ],
    [
      'a password file that is not there',
      () => [{}, { env: securityEnvironment({ PASSWORD: '@/nowhere/password' }) }],
      [`${at}.password: is @ and a path, and the file does not exist`],
    ],
    [
      'a key file that is not there',
      () => [{}, { env: securityEnvironment({ KEY_FILES: '/nowhere/a.key' }) }],
      [expect.stringContaining(`${at}.key-files: `) as unknown as string],
    ],
    [
      'an algorithm that is none',
      () => [{}, { env: securityEnvironment({ PASSWORD, ALGORITHM: 'PBEWithX' }) }],
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
      () => [{}, { env: securityEnvironment({ PASSWORD: '{cipher}geheim' }) }],
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
        { env: securityEnvironment({ PASSWORD }) },
      ],
      ['sso.port: must be a whole number (config/sso.yml:1)'],
    ],
    [
      'an unknown selector',
      () => [
        { 'config/sso.yml': `sso.base-url: '{cipher}{kid:x}${cipher}'` },
        { env: securityEnvironment({ PASSWORD }) },
      ],
      [
        'sso.base-url: cannot be decrypted: unknown selector {kid:…}: write {plain} before a text that starts so (config/sso.yml:1)',
      ],
    ],
  ])('%s', async (_what, given, violations) => {
    expect(await violationsOf(...given())).toEqual(violations);
  });

  test('a credential that cannot be read', async () => {
    const directory = join(folder, 'closed');
    await mkdir(join(directory, 'sso.port'), { recursive: true });
    expect(await violationsOf({}, { credentialDirectories: [directory] })).toEqual([
      `sso.port: ${directory}/sso.port is no regular file`,
    ]);
  });
});

describe('with AES-256-GCM alone', () => {
  const env = securityEnvironment({
    PASSWORD: 's3cret',
    ALGORITHM: 'AES-256-GCM',
    SALT: 'deadbeef',
  });

  test.each([
    ['Jasypt’s', 'kG+0mddkzWxB1+w4lVctm0kAqLAokUJq'],
    ['Spring’s', '6922d64c6605bb09a956ff40de59a72b09b5d18b8d3c9d9fe4'],
  ])('values of %s are refused', async (_whose, text) => {
    const files = { 'config/sso.properties': `sso.base-url={cipher}${text}` };
    expect(await violationsOf(files, { env })).toEqual([
      `sso.base-url: ${UNREADABLE} (config/sso.properties:1)`,
    ]);
  });
});

test('a remote source does not say where settings come from', async () => {
  class Settings extends CoreSettings {
    @Setting('vault.token', secret) token: Secret | undefined = undefined;
  }
  const values = [{ key: 'vault.token', value: 'geheim', origin: 'config server' }];
  const sources = [{ load: () => Promise.resolve({ values, violations: [] }) }];
  const context = { application: 'sso', argv: [], env: {}, directory: '/nowhere', sources };
  await expect(loadSettings(Settings, context)).rejects.toThrow(
    /settings of sso:\n {2}vault\.token: says where settings come from: give it on this machine \(config server\)$/,
  );
});

test('a rule that objects to what was decrypted says why, and does not quote it', async () => {
  const files = { 'config/sso.yml': `sso.base-url: '{cipher}${cipher}'` };
  const env = { ...securityEnvironment({ PASSWORD }), PROFILES_ACTIVE: 'production' };
  expect(await violationsOf(files, { env })).toEqual([
    'sso.base-url: must be https in profile production (config/sso.yml:1)',
  ]);
});

test('of very many protected values the last are not read, and that is said', async () => {
  const list = Array.from({ length: 1_001 }, () => `'{cipher}${cipher}'`);
  const files = { 'config/sso.yml': `sso.modules: [${list.join(', ')}]` };
  expect(await violationsOf(files, { env: securityEnvironment({ PASSWORD }) })).toEqual([
    'sso.modules: exceeds the limit of 1000 protected values (config/sso.yml:1)',
  ]);
});
