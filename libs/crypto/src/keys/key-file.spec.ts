import { execFileSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import {
  chmod,
  mkdir,
  readdir,
  readFile,
  stat,
  symlink,
  truncate,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { makeFolder, removeFolder } from '../../../../test/support/folders.js';
import { newKeyFile, readGuardedFile, readKeyFile, writeKeyFile } from './key-file.js';

const DIGITS = 'AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8';
const LINE = `v1.k1.${DIGITS}`;
const KEY = Buffer.from(Array.from({ length: 32 }, (_, index) => index));

let folder: string;
let files = 0;

beforeAll(async () => {
  folder = await makeFolder();
});
afterAll(() => removeFolder(folder));

async function fileOf(content: string): Promise<string> {
  const path = join(folder, `key-${files++}`);
  await writeFile(path, content, { mode: 0o600 });
  return path;
}

describe('a key file', () => {
  test.each([
    ['with nothing in it', ''],
    ['of comments alone', '# v1.k1.\n'],
    ['with two keys', `${LINE}\n${LINE}\n`],
    ['with something behind the key', `${LINE}\nmore`],
    ['with a key that is cut off', LINE.slice(0, -1)],
    ['with a key that is too long', `${LINE}AA`],
    ['with a key in another alphabet', LINE.replace('AAEC', 'AA+/')],
    ['with a key in another spelling', LINE.replace(/8$/, '9')],
    ['with padding', `${LINE}=`],
    ['without an id', `v1..${DIGITS}`],
    ['with an id of other letters', `v1.k/1.${DIGITS}`],
    ['of another version', LINE.replace('v1', 'v2')],
    ['of a password', 'Mellon'],
    ['with a key store', Buffer.from('3082', 'hex').toString('latin1')],
    ['with a key store of Java', '\u00fe\u00ed\u00fe\u00ed'],
  ])('is refused %s, and the error quotes none of it', async (_what, content) => {
    const path = await fileOf(content);
    const error: unknown = await readKeyFile(path).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'KEY_UNUSABLE', message: expect.stringContaining(path) });
    expect(inspect(error)).not.toMatch(/AAEC|AwQF|Mellon/);
  });

  test('that is a JCEKS store is refused with the command that converts it', async () => {
    const path = join(folder, 'jceks');
    await writeFile(path, Buffer.from('cececece00000002', 'hex'), { mode: 0o600 });
    await expect(readKeyFile(path)).rejects.toMatchObject({
      code: 'KEY_UNUSABLE',
      message: expect.stringContaining('is a JCEKS key store; make it PKCS#12: keytool '),
    });
  });

  test.each([
    ['as keygen writes it', `${LINE}\n`],
    ['without an end of line', LINE],
    ['with comments and blank lines', `# made in spring\r\n\r\n  ${LINE}\r\n`],
  ])('is read %s', async (_what, content) => {
    expect(await readKeyFile(await fileOf(content))).toEqual({
      kind: 'envelope',
      key: { kid: 'k1', key: KEY },
    });
  });

  test('of PEM holds an RSA key', async () => {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 1024 });
    const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
    const read = await readKeyFile(await fileOf(pem));
    expect(read.kind === 'rsa' && read.key.equals(privateKey)).toBe(true);
  });
});

describe('a new key file', () => {
  test('holds a random key, under an id that is made from it', async () => {
    const texts = [newKeyFile(), newKeyFile()];
    const read = await Promise.all(texts.map(async (text) => readKeyFile(await fileOf(text))));
    expect(texts[0]).toMatch(/^v1\.[0-9a-f]{8}\.[A-Za-z0-9_-]{43}\n$/);
    expect(texts[0]?.slice(12)).not.toBe(texts[1]?.slice(12));
    expect(read[0]?.kind).toBe('envelope');
  });

  test('holds the id it was given', async () => {
    const read = await readKeyFile(await fileOf(newKeyFile('spring-2026')));
    expect(read).toMatchObject({ kind: 'envelope', key: { kid: 'spring-2026' } });
  });

  test.each(['', 'a.b', 'a b', 'ä', 'a'.repeat(65), 'k\n'])('has no id like %j', (kid) => {
    expect(() => newKeyFile(kid)).toThrow(expect.objectContaining({ code: 'KEY_UNUSABLE' }));
  });

  test('is readable only by its owner', async () => {
    const path = join(folder, 'new');
    expect(await writeKeyFile(path, LINE)).toBe(true);
    expect((await stat(path)).mode & 0o7777).toBe(0o600);
    expect(await readFile(path, 'utf8')).toBe(LINE);
  });

  test('never replaces another', async () => {
    const path = await fileOf('what was there');
    expect(await writeKeyFile(path, LINE)).toBe(false);
    expect(await readFile(path, 'utf8')).toBe('what was there');
  });

  test('is written by one of many concurrent calls, which leave no temporary file', async () => {
    const path = join(folder, 'contended');
    const texts = Array.from({ length: 16 }, () => newKeyFile());
    const written = await Promise.all(texts.map((text) => writeKeyFile(path, text)));
    expect(written.filter(Boolean)).toHaveLength(1);
    expect(await readFile(path, 'utf8')).toBe(texts[written.indexOf(true)]);
    expect((await readdir(folder)).filter((name) => name.endsWith('.unfinished'))).toEqual([]);
  });

  test('names the path where it cannot be written', async () => {
    const path = join(folder, 'nowhere', 'key');
    await expect(writeKeyFile(path, LINE)).rejects.toMatchObject({
      code: 'KEY_UNUSABLE',
      message: `${path} cannot be written (ENOENT)`,
    });
  });
});

async function fileOfMode(mode: number): Promise<string> {
  const path = join(folder, `key-${mode.toString(8)}`);
  await writeFile(path, 'content');
  await chmod(path, mode);
  return path;
}

describe('a file that holds a key', () => {
  test.each([
    ['others may read', 0o604],
    ['everybody may read', 0o644],
    ['the group may write', 0o620],
    ['others may write', 0o602],
    ['everybody may do everything with', 0o777],
  ])('is refused where it is one that %s', async (_what, mode) => {
    const path = await fileOfMode(mode);
    await expect(readGuardedFile(path)).rejects.toMatchObject({
      code: 'KEY_UNUSABLE',
      message: `${path} has mode 0${mode.toString(8)}, which lets others at it: chmod 600 ${path}`,
    });
  });

  test.each([0o400, 0o600, 0o440, 0o640, 0o700])('is read with mode %o', async (mode) => {
    expect((await readGuardedFile(await fileOfMode(mode))).toString()).toBe('content');
  });

  test.each<[string, string, (path: string) => unknown]>([
    ['that is not there', 'does not exist', () => undefined],
    ['that is a directory', 'is no regular file', (path) => mkdir(path, { mode: 0o700 })],
    [
      'that is a pipe to which nobody writes',
      'is no regular file',
      (path) => execFileSync('/usr/bin/env', ['mkfifo', '-m', '600', path]),
    ],
    [
      'of more than 1 MiB',
      'has more than 1048576 bytes',
      async (path) => {
        await writeFile(path, '', { mode: 0o600 });
        await truncate(path, 1024 * 1024 + 1);
      },
    ],
    [
      'that is a link to one with too many readers',
      'has mode 0644',
      async (path) => symlink(await fileOfMode(0o644), path),
    ],
  ])('is refused where it is one %s', async (what, message, make) => {
    const path = join(folder, what.replaceAll(' ', '-'));
    await make(path);
    await expect(readGuardedFile(path)).rejects.toMatchObject({
      code: 'KEY_UNUSABLE',
      message: expect.stringContaining(`${path} ${message}`),
    });
  });

  test('is read through a link, as Kubernetes mounts secrets', async () => {
    const link = join(folder, 'link');
    await symlink(await fileOfMode(0o600), link);
    expect((await readGuardedFile(link)).toString()).toBe('content');
  });
});
