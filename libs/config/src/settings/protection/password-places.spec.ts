import { chmod, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { makeFolder, removeFolder } from '../../../../../test/support/folders.js';
import {
  PASSWORD,
  protectedText,
  securityEnvironment,
} from '../../../../../test/support/protected-values.js';
import { load, violationsOf } from '../../../../../test/support/settings-directory.js';

let folder: string;
/** Encrypted with the password. */
let cipher: string;

beforeAll(async () => {
  folder = await makeFolder();
  cipher = await protectedText('http://plain');
});
afterAll(() => removeFolder(folder));

describe('a password', () => {
  const files = () => ({ 'config/sso.yml': `sso.base-url: '{cipher}${cipher}'` });
  const inFile = async (content: Buffer | string, mode = 0o600) => {
    const directory = await mkdtemp(join(folder, 'credentials-'));
    await writeFile(join(directory, 'sso.standalone.security.password'), content, { mode });
    return directory;
  };
  const key = 'sso.standalone.security.password';

  test.each<[string, Buffer | string, string]>([
    ['is no text', Buffer.from([0xf8, 0xff, 0xfe]), 'is not UTF-8 text'],
    ['is empty', '\n', 'is empty'],
  ])('that %s is refused, from a credential and from a file', async (_what, content, error) => {
    const directory = await inFile(content);
    const path = join(directory, key);
    expect(await violationsOf({}, { credentialDirectories: [directory] })).toEqual([
      `${key}: ${path} ${error}`,
    ]);
    expect(await violationsOf({}, { env: securityEnvironment({ PASSWORD: `@${path}` }) })).toEqual([
      `${key}: is @ and a path, and the file ${error}`,
    ]);
  });

  test('that others may write is refused', async () => {
    const directory = await inFile(PASSWORD);
    await chmod(join(directory, key), 0o666);
    const [violation] = await violationsOf({}, { credentialDirectories: [directory] });
    expect(violation).toContain('has mode 0666');
  });

  test('of a credential may begin with @', async () => {
    const directory = await inFile('@geheim');
    const context = { credentialDirectories: [directory] };
    expect((await load({}, context)).settings.protection.password?.reveal()).toBe('@geheim');
  });

  test('that is missing is the only problem, not each value besides', async () => {
    const env = securityEnvironment({ PASSWORD: '@geheim' });
    expect(await violationsOf(files(), { env })).toEqual([
      `${key}: is @ and a path, and the file does not exist`,
    ]);
  });

  test('is asked for in vain in a directory that is not there', async () => {
    const env = { CREDENTIALS_DIRECTORY: '/nowhere' };
    expect(await violationsOf({}, { env })).toEqual(['/nowhere: does not exist']);
  });
});

describe('a password on the command line', () => {
  const key = '--sso.standalone.security.password';

  test('is warned of, and not quoted', async () => {
    expect((await load({}, { argv: [`${key}=geheim`] })).warnings).toEqual([
      'sso.standalone.security.password is on the command line, where every user of the machine can read it',
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
