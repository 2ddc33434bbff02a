import { generateKeyPairSync } from 'node:crypto';
import { readFile, readlink, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import {
  FROM_JASYPT,
  JASYPT,
  NEW_AND_OLD,
  RotationDirectory,
} from '../../../../test/support/rotation.js';

let rotation: RotationDirectory;
let keys: string;
let directory: string;
let written: RotationDirectory['written'];

beforeAll(async () => {
  rotation = await RotationDirectory.make();
  ({ keys, written } = rotation);
});
afterAll(() => rotation.remove());
beforeEach(async () => {
  await rotation.clear();
  directory = rotation.path;
});

const given = (name: string, form: string): Promise<string> => rotation.given(name, form);
const contentOf = (name: string): Promise<string> => rotation.contentOf(name);
const rotate = (...args: readonly string[]) => rotation.rotate(...args);

describe('wrong use ends with 1, and nothing is written', () => {
  test.each<[string, readonly string[], RegExp]>([
    ['no path', NEW_AND_OLD, /missing required argument 'paths'/],
    ['a path where nothing is', ['/no/such.yml', ...NEW_AND_OLD], /does not exist/],
    ['a file of another kind', ['@new.key', ...NEW_AND_OLD], /no file that ends in .yml, .yaml/],
    ['no such key file', ['.', '--key-file', '/no.key'], /\/no.key does not exist/],
    ['a key twice', ['.', '--key-file', '@new.key', '--key-file', '@new.key'], /called new/],
    ['no key', ['.', '--profiles.active=staging'], /there is no key: give --key-file/],
    ['a password for nothing', ['.', '--password-file', '@password'], /needs a --key-file or/],
    ['half of Jasypt', ['.', '--from-iv', ...NEW_AND_OLD], /need --from-algorithm/],
    [
      'an unknown algorithm',
      ['.', '--from-algorithm', 'X', '--password-file', '@password', ...NEW_AND_OLD],
      /"X" is not supported/,
    ],
  ])('%s', async (_what, args, error) => {
    await given('a.yml', "a: '{cipher}@old'");
    const result = await rotate(...args.map((arg) => (arg === '.' ? directory : arg)));
    expect(result).toMatchObject({ exitCode: 1, stdout: '' });
    expect(result.stderr).toMatch(error);
    expect(await contentOf('a.yml')).toBe("a: '{cipher}@old'");
  });
});

describe('where a value cannot be decrypted', () => {
  test.each<[string, string, string]>([
    ['of an unknown key', 'v1.gone.AAAA', 'with the keys given: it was written with gone'],
    ['that is broken', '@oldA', 'with the keys given: it was written with old'],
    ['that is no text', '@binary', 'with the keys given: it was written with old'],
    ['of another kind', '@jasypt', 'with the keys given'],
    ['that names an unknown key', '{key:gone}@old', 'names the key gone, which is not given'],
    ['that names another key', '{key:new}@old', 'with the keys given: it was written with old'],
    ['with an unknown selector', '{kye:old}@old', 'has a selector that is not known'],
  ])('%s, nothing is written, and line and key are named', async (_what, cipher, reason) => {
    const good = await given('a.yml', "a: '{cipher}@old'");
    const bad = await given('b.properties', `# c\nb={cipher}${cipher}\nc={cipher}@old`);
    const before = await readFile(bad);
    const { exitCode, stderr } = await rotate(good, bad, ...NEW_AND_OLD);
    expect(exitCode).toBe(3);
    expect(stderr).toMatch(/^tessera: b.properties:2: b /);
    expect(stderr).toContain(
      `${reason}\ntessera: nothing was written: 1 value cannot be decrypted`,
    );
    expect(stderr).not.toContain('AAAA');
    expect(await contentOf('a.yml')).toBe("a: '{cipher}@old'");
    expect(await readFile(bad)).toEqual(before);
  });

  test('of Jasypt, the same', async () => {
    const path = await given('a.yml', 'a: ENC(@jasypt)\nb: ENC(@old)');
    const line = /^tessera: a.yml:2: b cannot be decrypted with the algorithm and password given/;
    const result = await rotate(path, ...FROM_JASYPT, ...NEW_AND_OLD);
    expect(result).toMatchObject({ exitCode: 3, stderr: expect.stringMatching(line) });
    expect(await contentOf('a.yml')).toBe(`a: ENC(${written.jasypt})\nb: ENC(@old)`);
  });

  test('a file without such values is written with --keep-going', async () => {
    await given('a.yml', "a: '{cipher}@old'");
    await given('b.yml', "a: '{cipher}x'\nb: '{cipher}@old'");
    const { exitCode, stdout, stderr } = await rotate(directory, '--keep-going', ...NEW_AND_OLD);
    expect({ exitCode, stdout }).toEqual({
      exitCode: 3,
      stdout: 'a.yml:1: a: old -> new\nrotated 1 value in 1 file; 0 had the key new already\n',
    });
    expect(stderr).toContain('b.yml:1: a cannot be decrypted');
    expect(await contentOf('a.yml')).toBe("a: '{cipher}@new'");
    expect(await contentOf('b.yml')).toBe("a: '{cipher}x'\nb: '{cipher}@old'");
  });

  test('or a file is not UTF-8, the file is named, and the exit code is 1', async () => {
    await writeFile(await given('b.yml', ''), Buffer.from([0x61, 0x3a, 0xff]));
    const { exitCode, stderr } = await rotate(directory, ...NEW_AND_OLD);
    expect(exitCode).toBe(1);
    expect(stderr).toContain('b.yml: is not UTF-8 text\n');
    expect(stderr).toContain('nothing was written: 1 file cannot be rotated\n');
  });

  test('or a file is not YAML, the line is named, and the exit code is 1', async () => {
    await given('a.yml', "a: '{cipher}@old'");
    await given('b.yml', 'a: {cipher}geheim');
    const { exitCode, stderr } = await rotate(directory, ...NEW_AND_OLD);
    expect(exitCode).toBe(1);
    expect(stderr).toContain('b.yml:1: a value that begins with { needs quotes');
    expect(stderr).not.toContain('geheim');
    expect(await contentOf('a.yml')).toBe("a: '{cipher}@old'");
  });
});

describe('with the newest key is written', () => {
  test.each<[string, string, string, string]>([
    ['YAML', 'a.yml', 'a:\r\n  - "{cipher}@old" # c\r\n', 'a:\r\n  - "{cipher}@new" # c\r\n'],
    ['JSON', 'a.json', '{"a":\t"{cipher}@old"}', '{"a":\t"{cipher}@new"}'],
    ['properties', 'a.properties', 'a : {cas-cipher}@old\n', 'a : {cas-cipher}@new\n'],
    ['what a selector stands before', 'a.YML', "a: '{cipher}{key:OLD}@old'", "a: '{cipher}@new'"],
  ])('%s', async (_what, name, before, after) => {
    const path = await given(name, before);
    const { exitCode, stderr } = await rotate(path, ...NEW_AND_OLD);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(await contentOf(name)).toBe(after);
  });

  test('what Jasypt wrote, given its algorithm and password', async () => {
    await given('a.properties', 'a={cipher}@jasypt\nb={cipher}@old\nc=ENC(@jasypt)');
    await given('b.yml', 'a: ENC(@jasypt) # c');
    const { stdout, stderr } = await rotate(directory, ...FROM_JASYPT, ...NEW_AND_OLD);
    expect(stderr).toBe('');
    expect(stdout).toContain('a.properties:1: a: PBEWithMD5AndTripleDES -> new\n');
    expect(stdout).toContain('b.yml:1: a: PBEWithMD5AndTripleDES -> new\n');
    expect(await contentOf('a.properties')).toBe('a={cipher}@new\nb={cipher}@new\nc={cipher}@new');
    expect(await contentOf('b.yml')).toBe("a: '{cipher}@new' # c");
  });

  test('only where no key is named in front of it', async () => {
    const path = await given('a.properties', 'a={cipher}{key:old}@jasypt');
    expect(await rotate(path, ...FROM_JASYPT, ...NEW_AND_OLD)).toMatchObject({ exitCode: 3 });
  });

  test('with one password for everything that needs one', async () => {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 1024 });
    const encrypted = { cipher: 'aes-256-cbc', passphrase: 'Mellon' };
    const pem = privateKey.export({ type: 'pkcs8', format: 'pem', ...encrypted });
    await writeFile(join(keys, 'rsa.pem'), pem, { mode: 0o600 });
    const path = await given('a.yml', 'a: "{cipher}@jasypt"');
    const from = ['--from-algorithm', JASYPT.algorithm, '--password-stdin'];
    await rotate(path, ...from, ...NEW_AND_OLD, '--key-file', '@rsa.pem');
    expect(await contentOf('a.yml')).toBe('a: "{cipher}@new"');
  });

  test('what Spring wrote, with the keys of the settings', async () => {
    const path = await given('a.yml', 'a: "{cipher}@spring"');
    const settings = ['--encrypt.key=Mellon', `--encrypt.key-files=${join(keys, 'new.key')}`];
    const { stdout } = await rotate(path, ...settings);
    expect(stdout).toContain('a.yml:1: a: default -> new\n');
    expect(await contentOf('a.yml')).toBe('a: "{cipher}@new"');
  });

  test('what the same password wrote in another form', async () => {
    const path = await given('a.yml', 'a: "{cipher}@spring"');
    expect((await rotate(path, '--encrypt.key=Mellon')).stdout).toContain('default -> default');
    expect(await contentOf('a.yml')).toMatch(/^a: "\{cipher\}v1\.[0-9a-f]{8}\.[\w-]+"$/);
    expect((await rotate(path, '--encrypt.key=Mellon')).stdout).toContain('1 had the key default');
  });

  test('while all other bytes stay, in properties of ISO-8859-1 too', async () => {
    const path = await given('a.properties', '');
    const bytes = (cipher: string) => Buffer.from(`# \u00fc\na={cipher}${cipher}\n`, 'latin1');
    await writeFile(path, bytes(written.old));
    await rotate(path, ...NEW_AND_OLD);
    const after = await readFile(path, 'latin1');
    expect(after).toBe(bytes(/v1\.new\.[\w-]+/.exec(after)?.[0] ?? '').toString('latin1'));
  });
});

describe('what the newest key wrote', () => {
  test('stays, so that a second run writes nothing', async () => {
    const path = await given('a.yml', 'a: "{cipher}@old"\nb: "{cipher}@new"');
    await rotate(path, ...NEW_AND_OLD);
    const before = { bytes: await readFile(path), ...(await stat(path)) };
    expect((await rotate(path, '--key-file', '@new.key')).stdout).toBe(
      'rotated 0 values in 0 files; 2 had the key new already\n',
    );
    expect({ bytes: await readFile(path), ...(await stat(path)) }).toMatchObject({
      bytes: before.bytes,
      ino: before.ino,
    });
  });

  test('is encrypted again with --all', async () => {
    const path = await given('a.yml', 'a: "{cipher}@new"');
    expect((await rotate(path, '--all', ...NEW_AND_OLD)).stdout).toContain('a: new -> new\n');
    expect(await contentOf('a.yml')).toBe('a: "{cipher}@new"');
    expect(await readFile(path, 'utf8')).not.toContain(written.new);
  });
});

test('values of Jasypt stay without --from-algorithm, and are counted', async () => {
  await given('a.yml', 'a: ENC(@jasypt)\nb: "{cipher}@old"\nc: "ENC(@jasypt)"');
  expect(await rotate(directory, ...NEW_AND_OLD)).toEqual({
    exitCode: 0,
    stdout: 'a.yml:2: b: old -> new\nrotated 1 value in 1 file; 0 had the key new already\n',
    stderr: "tessera: left 2 values in Jasypt's ENC(…): --from-algorithm moves them\n",
  });
  expect(await contentOf('a.yml')).toContain(`ENC(${written.jasypt})"`);
});

test('a dry run prints what would be written, in JSON too, and writes nothing', async () => {
  await given('a.yml', 'a: "{cipher}@old"\nb: "{cipher}@new"');
  expect(await rotate(directory, '--dry-run', ...NEW_AND_OLD)).toEqual({
    exitCode: 0,
    stdout:
      'a.yml:1: a: old -> new\n' +
      'dry run, nothing written: would rotate 1 value in 1 file; 1 had the key new already\n',
    stderr: '',
  });
  const { stdout } = await rotate(directory, '--dry-run', '--json', ...NEW_AND_OLD);
  const changes = [{ line: 1, key: 'a', from: 'old', to: 'new' }];
  expect(JSON.parse(stdout)).toEqual({
    dryRun: true,
    key: 'new',
    current: 1,
    files: [{ file: 'a.yml', written: false, changes, failures: [] }],
  });
  expect(await contentOf('a.yml')).toBe('a: "{cipher}@old"\nb: "{cipher}@new"');
});

test('the target of a given link is rotated', async () => {
  const target = await given('target.yml', 'a: "{cipher}@old"');
  const link = join(directory, 'link.yml');
  await symlink(target, link);
  expect((await rotate(link, ...NEW_AND_OLD)).stdout).toContain('link.yml:1: a: old -> new');
  expect(await contentOf('target.yml')).toBe('a: "{cipher}@new"');
  expect(await readlink(link)).toBe(target);
});
