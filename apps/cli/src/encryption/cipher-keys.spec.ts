import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { newKeyFile } from '@tessera/crypto';
import { makeFolder, removeFolder } from '../../../../test/support/folders.js';
import { keyStoreVectors } from '../../../../test/support/key-stores.js';
import { withoutArgumentWarnings } from '../../../../test/support/command-line.js';
import { runProgram } from '../program.js';

/** With the keys mytestkey and next. */
const PAIR = ['--key-file', '@pair.p12', '--password-file', '@password'];
const SINGLE = ['--key-file', '@single.p12', '--password-file', '@password'];
const NO_STORE = /--alias goes with a --key-file that is a key store/;
const IS_JCEKS = /^tessera: @old.p12 is a JCEKS key store; make it PKCS#12: keytool /;
const WARNING =
  'tessera: this RSA key has 1024 bits: use it to read old values, and write new ones with a key of ' +
  '2048 bits or more (tessera keygen)\n';

let folder: string;
/** `@short` stands for the path of its file, as everywhere below. */
let pem: { short: string; long: string };

beforeAll(async () => {
  folder = await makeFolder();
  const [short, long] = [1024, 2048].map((modulusLength) =>
    pemOf(generateKeyPairSync('rsa', { modulusLength }).privateKey),
  );
  pem = { short: short ?? '', long: long ?? '' };
  await file('short.pem', pem.short);
  await file('long.pem', pem.long);
  await file('both.pem', `${pem.long}\n${pem.short}`);
  await file('ring.key', newKeyFile('k1'));
  await file('password', 'changeit\n');
  await file('pair.p12', storeWith(2));
  await file('single.p12', storeWith(1));
  await file('store.txt', storeWith(1));
  await file('ring.p12', newKeyFile('k2'));
  const jks = keyStoreVectors().find(({ writtenBy }) => writtenBy.includes('JKS'));
  await file('java.txt', jks?.content ?? '');
  await file('old.p12', Buffer.from('cececece00000002', 'hex'));
});
afterAll(() => removeFolder(folder));

function pemOf(key: KeyObject): string {
  return key.export({ type: 'pkcs8', format: 'pem' }).toString();
}

function storeWith(keyCount: number): Buffer {
  const found = keyStoreVectors().find(({ keys }) => keys.length === keyCount);
  return found?.content ?? Buffer.alloc(0);
}

function file(name: string, content: string | Buffer): Promise<void> {
  return writeFile(join(folder, name), content, { mode: 0o600 });
}

async function tessera(args: readonly string[], input = '') {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  stdin.end(input);
  const paths = args.map((arg) => (arg.startsWith('@') ? join(folder, arg.slice(1)) : arg));
  const all = [`--settings.location=${folder}`, ...paths];
  const exitCode = await runProgram(all, { stdin, stdout, stderr });
  stdout.end();
  stderr.end();
  return {
    exitCode,
    stdout: await text(stdout),
    stderr: withoutArgumentWarnings(await text(stderr)),
  };
}

describe('an ambiguous or invalid key ends with 1, and nothing is written', () => {
  const choose = 'tessera: choose one of the keys in @pair.p12 with --alias: mytestkey, next\n';

  test.each<[string, readonly string[], string | RegExp]>([
    ['a store with several, and no alias', ['encrypt', 'x', ...PAIR], choose],
    ['the same for a batch', ['encrypt', '--batch', ...PAIR], choose],
    ['the same where all may decrypt', ['rotate', '@', ...PAIR], choose],
    ['an alias of none, to decrypt with', ['decrypt', 'x', '--alias', 'no', ...PAIR], choose],
    [
      'another alias than that of the only key',
      ['encrypt', 'x', '--alias', 'next', ...SINGLE],
      'tessera: choose one of the keys in @single.p12 with --alias: config\n',
    ],
    ['an alias without a file', ['encrypt', 'x', '--alias', 'next'], NO_STORE],
    [
      'an alias for a file of one key',
      ['encrypt', 'x', '--alias', 'k1', '--key-file', '@ring.key'],
      'tessera: --alias goes with a --key-file that is a key store, of several the first: @ring.key is none\n',
    ],
    [
      'the same where its name says otherwise',
      ['encrypt', 'x', '--alias', 'k2', '--key-file', '@ring.p12'],
      NO_STORE,
    ],
    [
      'a store of Java alone, without asking for its password',
      ['encrypt', 'x', '--key-file', '@old.p12'],
      IS_JCEKS,
    ],
    ['the same to rotate', ['rotate', '@', '--key-file', '@old.p12'], IS_JCEKS],
    [
      'an alias where the store is not the first of files',
      ['rotate', '@', '--alias', 'next', '--key-file', '@ring.key', ...PAIR],
      'tessera: --alias goes with a --key-file that is a key store, of several the first: @ring.key is none\n',
    ],
    [
      'PEM with two keys',
      ['encrypt', 'x', '--key-file', '@both.pem'],
      'tessera: @both.pem holds 2 private keys: leave the one to use\n',
    ],
  ])('%s', async (_what, args, error) => {
    await writeFile(join(folder, 'a.yml'), "a: '{cipher}00'");
    const { stderr, ...rest } = await tessera(args, '{"plain":"x"}\n');
    expect(rest).toEqual({ exitCode: 1, stdout: '' });
    const told = stderr.replaceAll(`${folder}/`, '@');
    if (typeof error === 'string') expect(told).toBe(error);
    else expect(told).toMatch(error);
  });
});

describe('the first bytes of a file determine its kind, whatever its name is', () => {
  test.each([
    ['PKCS#12', ['--key-file', '@store.txt', '--alias', 'CONFIG', '--password-file', '@password']],
    ['JKS', ['--key-file', '@java.txt', '--alias', 'next', '--password-file', '@password']],
    ['a key of tessera keygen', ['--key-file', '@ring.p12']],
  ])('%s', async (_what, options) => {
    const { stdout } = await tessera(['encrypt', 'x', ...options]);
    expect(await tessera(['decrypt', stdout, ...options])).toMatchObject({ stdout: 'x\n' });
  });
});

describe('the key of a store that an alias names', () => {
  test.each<[string, readonly string[], number]>([
    ['itself, in any case of letters', ['--alias', 'NEXT'], 0],
    ['the store without an alias', [], 0],
    ['another key of the store', ['--alias', 'mytestkey'], 3],
  ])('writes what can be read with %s', async (_what, alias, exitCode) => {
    // GCM: with CBC another key reads a text by chance.
    const { stdout } = await tessera(['encrypt', 'x', '--strong', '--alias', 'next', ...PAIR]);
    const read = await tessera(['decrypt', stdout, '--strong', ...alias, ...PAIR]);
    expect(read).toMatchObject({ exitCode, stdout: exitCode === 0 ? 'x\n' : '' });
  });

  test('re-encrypts what the other keys of the store wrote', async () => {
    const old = await tessera(['encrypt', 'x', '--prefix', '--alias', 'mytestkey', ...PAIR]);
    await writeFile(join(folder, 'a.yml'), `a: '${old.stdout.trim()}'\n`);
    const { stdout } = await tessera(['rotate', '@a.yml', '--alias', 'next', ...PAIR]);
    expect(stdout).toContain('a: mytestkey -> next\n');
  });

  test('needs no alias where a store only reads', async () => {
    const old = await tessera(['encrypt', 'x', '--prefix', '--alias', 'next', ...PAIR]);
    await writeFile(join(folder, 'a.yml'), `a: '${old.stdout.trim()}'\n`);
    const { stdout } = await tessera(['rotate', '@a.yml', '--key-file', '@ring.key', ...PAIR]);
    expect(stdout).toContain('a: next -> k1\n');
  });

  test('needs no alias in settings either, to read', async () => {
    const { stdout } = await tessera(['encrypt', 'x', '--alias', 'next', ...PAIR]);
    const settings = [
      `--encrypt.key-store.location=${join(folder, 'pair.p12')}`,
      '--encrypt.key-store.password=changeit',
    ];
    expect(await tessera(['decrypt', stdout, ...settings])).toMatchObject({ stdout: 'x\n' });
    expect(await tessera(['encrypt', 'x', ...settings])).toMatchObject({
      exitCode: 78,
      stdout: '',
      stderr: expect.stringContaining('set encrypt.key-store.alias to one of the keys in'),
    });
  });
});

describe('writing with an RSA key that is too short prints one warning', () => {
  const rows = (name: 'short' | 'long', count: number) =>
    `${JSON.stringify({ kind: 'rsa', pem: pem[name], plain: 'x' })}\n`.repeat(count);

  test.each<[string, readonly string[], string | (() => string), string]>([
    ['a text', ['encrypt', 'x', '--key-file', '@short.pem'], '', WARNING],
    ['a text with a long one', ['encrypt', 'x', '--key-file', '@long.pem'], '', ''],
    ['lines with their own', ['encrypt', '--batch'], () => rows('short', 3), WARNING],
    ['lines with long ones', ['encrypt', '--batch'], () => rows('long', 1), ''],
    ['lines', ['encrypt', '--batch', '--key-file', '@short.pem'], '{"plain":"x"}', WARNING],
    ['no line', ['encrypt', '--batch', '--key-file', '@short.pem'], '', ''],
  ])('%s', async (_what, args, input, stderr) => {
    const given = typeof input === 'string' ? input : input();
    expect(await tessera(args, given)).toMatchObject({ exitCode: 0, stderr });
  });

  test('but reading prints none', async () => {
    const { stdout } = await tessera(['encrypt', 'x', '--key-file', '@short.pem']);
    const read = await tessera(['decrypt', stdout, '--key-file', '@short.pem']);
    expect(read).toEqual({ exitCode: 0, stdout: 'x\n', stderr: '' });
  });

  test.each<[string, readonly string[], string]>([
    ['that it writes with', ['--key-file', '@short.pem', '--key-file', '@ring.key'], WARNING],
    [
      'that it would write with',
      ['--dry-run', '--key-file', '@short.pem', '--key-file', '@ring.key'],
      WARNING,
    ],
    ['that has nothing to write', ['--key-file', '@ring.key', '--key-file', '@short.pem'], ''],
  ])('rotate, of a key %s', async (_what, args, stderr) => {
    const old = await tessera(['encrypt', 'x', '--prefix', '--key-file', '@ring.key']);
    await writeFile(join(folder, 'a.yml'), `a: '${old.stdout.trim()}'\n`);
    expect(await tessera(['rotate', '@a.yml', ...args])).toMatchObject({ exitCode: 0, stderr });
  });
});
