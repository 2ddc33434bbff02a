import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { newKeyFile } from '@tessera/crypto';
import { cipherVectors } from '../../../../test/support/cipher-vectors.js';
import { withoutArgumentWarnings } from '../../../../test/support/command-line.js';
import { keyStoreVectors } from '../../../../test/support/key-stores.js';
import { runProgram } from '../program.js';

const PBE = 'PBEWithHmacSHA256AndAES_256';
const QUICK = ['--algorithm', PBE, '--iterations', '1'];
const REFUSED = 'tessera: Text not encrypted with this key\n';

let directory: string;
let keyFile: string;
let passwordFile: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'tessera-ciphers-'));
  keyFile = await file('ring.key', newKeyFile('k1'));
  passwordFile = await file('password', 'Mellon\n');
});
afterAll(() => rm(directory, { recursive: true }));

async function file(name: string, content: string | Buffer): Promise<string> {
  const path = join(directory, name);
  await writeFile(path, content, { mode: 0o600 });
  return path;
}

/** `@key` and `@password` among the arguments are the paths of those files. */
async function tessera(args: readonly string[], input: string | Buffer = '') {
  const stdin = new PassThrough();
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  stdin.end(input);
  const paths = new Map([
    ['@key', keyFile],
    ['@password', passwordFile],
  ]);
  const all = [`--settings.location=${directory}`, ...args.map((arg) => paths.get(arg) ?? arg)];
  const exitCode = await runProgram(all, { stdin, stdout, stderr });
  stdout.end();
  stderr.end();
  return {
    exitCode,
    stdout: await text(stdout),
    stderr: withoutArgumentWarnings(await text(stderr)),
  };
}

/** Types `word` and Enter at each prompt. */
async function typing(word: string, args: readonly string[]) {
  const stdin = Object.assign(new PassThrough(), { isTTY: true });
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  let shown = '';
  stderr.on('data', (chunk: Buffer) => {
    shown += String(chunk);
    if (shown.endsWith(': ')) stdin.write(`${word}\r`);
  });
  const all = args.map((arg) => (arg === '@key' ? keyFile : arg));
  const exitCode = await runProgram(all, { stdin, stdout, stderr });
  stdout.end();
  return { exitCode, stdout: await text(stdout), shown: withoutArgumentWarnings(shown) };
}

describe('errors end with 1 and name the cause', () => {
  test.each<[string, readonly string[], RegExp]>([
    [
      'an unknown algorithm',
      ['decrypt', 'a', '--algorithm', 'PBEWithX', '--password-file', '@password'],
      /"PBEWithX" is not supported.* PBEWithMD5AndDES, /,
    ],
    [
      'an unknown kind',
      ['encrypt', 'a', '--kind', 'aes'],
      /^tessera: .*--kind.*aes-gcm, text, delux/,
    ],
    [
      'Jasypt without algorithm',
      ['encrypt', 'a', '--kind', 'jasypt', '--password-file', '@password'],
      /needs an --algorithm/,
    ],
    [
      'RSA without key',
      ['encrypt', 'a', '--kind', 'rsa', '--password-file', '@password'],
      /needs a --key-file/,
    ],
    [
      'an odd salt',
      ['encrypt', 'a', '--kind', 'text', '--salt', 'x', '--password-file', '@password'],
      /salt/,
    ],
    [
      'two passwords',
      ['encrypt', 'a', '--password-stdin', '--password-file', '@password'],
      /in one way/,
    ],
    ['two texts', ['encrypt', 'a', '--input-file', '@password'], /the text in one way/],
    ['a text for a batch', ['encrypt', 'a', '--batch'], /the text in one way/],
    [
      'password and text in one place',
      ['encrypt', '--password-stdin'],
      /--password-stdin leaves no place/,
    ],
    ['a password nobody can give', ['encrypt', '--algorithm', PBE], /there is no password: give/],
    ['an empty variable', ['encrypt', 'a', '--password-env', 'TESSERA_NO_SUCH'], /TESSERA_NO_SUCH/],
    [
      'a key file for a password kind',
      ['encrypt', 'a', '--key-file', '@key', '--algorithm', PBE],
      /other kinds take a password/,
    ],
    [
      'no such key file',
      ['encrypt', 'a', '--key-file', '/no.key'],
      /^tessera: \/no.key does not exist/,
    ],
    ['no such text', ['encrypt', '--key-file', '@key', '--input-file', '/no'], /no does not exist/],
    [
      'no key anywhere',
      ['encrypt', 'a', '--profiles.active=staging'],
      /^tessera: there is no key: give/,
    ],
  ])('%s', async (_what, args, error) => {
    const { exitCode, stdout, stderr } = await tessera(args);
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
    expect(stderr).toMatch(error);
  });

  test('of settings end with 78', async () => {
    const { exitCode, stderr } = await tessera(['encrypt', 'a', '--encrypt.keys=b']);
    expect([exitCode, stderr]).toEqual([78, expect.stringContaining('encrypt.keys')]);
  });

  test.each<[string, string | Buffer, RegExp]>([
    ['no UTF-8', Buffer.from('p\u00e4ss', 'latin1'), /standard input is not UTF-8 text/],
    ['more than 1 MiB', 'x'.repeat(1024 * 1024 + 1), /more than 1048576 bytes/],
  ])('a text that is %s', async (_what, input, error) => {
    const { exitCode, stderr } = await tessera(['encrypt', '--key-file', '@key'], input);
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(error);
  });
});

describe('a text that cannot be decrypted ends with 3 and one answer', () => {
  test.each<[string, readonly string[]]>([
    ['under this key', ['decrypt', 'v1.k1.AAAA', '--key-file', '@key']],
    ['under another key id', ['decrypt', 'v1.k2.AAAA', '--key-file', '@key']],
    ['of Jasypt', ['decrypt', 'input=AAAA', 'password=x']],
    [
      'of no hexadecimal digits',
      ['decrypt', 'input=xyz', 'password=x', 'stringOutputType=hexadecimal'],
    ],
    ['of Spring', ['decrypt', 'ff', '--kind', 'text', '--password-file', '@password']],
  ])('%s', async (_what, args) => {
    const { exitCode, stdout, stderr } = await tessera(args);
    expect({ exitCode, stdout }).toEqual({ exitCode: 3, stdout: '' });
    expect(stderr.endsWith(REFUSED)).toBe(true);
  });

  test('that holds bytes which are no text', async () => {
    const rc4 = ['--algorithm', 'PBEWithSHA1AndRC4_128', '--password-file', '@password'];
    const { stdout } = await tessera(['encrypt', '\u20ac'.repeat(20), ...rc4]);
    const other = ['--password-stdin', '--algorithm', 'PBEWithSHA1AndRC4_128'];
    expect(await tessera(['decrypt', stdout, ...other], 'Melon')).toEqual({
      exitCode: 3,
      stdout: '',
      stderr: REFUSED,
    });
  });
});

test('empty input is not encrypted', async () => {
  expect(await tessera(['encrypt', '--key-file', '@key'], '')).toEqual({
    exitCode: 1,
    stdout: '',
    stderr: 'tessera: standard input is empty\n',
  });
});

describe('an encrypted value is decrypted', () => {
  const password = ['--password-file', '@password'];

  test.each<[string, readonly string[], RegExp]>([
    ['with a key file', ['--key-file', '@key'], /^v1\.k1\.[\w-]+\n$/],
    ['with a password', password, /^v1\.[0-9a-f]{8}\.[\w-]+\n$/],
    ['as Spring does', ['--kind', 'text', '--salt', 'cafe', ...password], /^[0-9a-f]{64}\n$/],
    ['as Spring does with GCM', ['--kind', 'delux', ...password], /^[0-9a-f]{2,}\n$/],
    ['as Jasypt does', [...QUICK, ...password], /^[\w+/=]+\n$/],
    [
      'with an IV',
      ['--algorithm', 'PBEWITHSHA256AND256BITAES-CBC-BC', '--provider', 'BC', '--iv', ...password],
      /^[\w+/=]{64}\n$/,
    ],
    [
      'with the key of a setting',
      ['--encrypt.key=Mellon', '--encrypt.format=spring'],
      /^[0-9a-f]{64}\n$/,
    ],
    ['in JSON', ['--json', '--key-file', '@key'], /^\{"cipher":"v1\.k1\.[\w-]+"\}\n$/],
  ])('%s', async (_what, options, form) => {
    const written = await tessera(['encrypt', 's\u00e9cret +', ...options]);
    expect(written).toEqual({ exitCode: 0, stdout: expect.stringMatching(form), stderr: '' });
    const isJson = options.includes('--json');
    const cipher = isJson ? JSON.parse(written.stdout).cipher : written.stdout;
    expect(await tessera(['decrypt', ...options], `{cipher}${cipher}\n`)).toEqual({
      exitCode: 0,
      stdout: isJson ? '{"plain":"s\u00e9cret +"}\n' : 's\u00e9cret +\n',
      stderr: '',
    });
  });

  test.each<[string, readonly string[], string, string]>([
    ['standard input, but for its last line end', [], 'a\nb\n\n', 'a\nb\n'],
    ['an argument that looks like an option', ['--', '--x'], '', '--x'],
    ['an argument with an equals sign', ['a=b'], '', 'a=b'],
    ['an empty argument', [''], '', ''],
  ])('taken from %s', async (_what, args, input, plain) => {
    const { stdout } = await tessera(['encrypt', '--key-file', '@key', '--prefix', ...args], input);
    expect(stdout).toMatch(/^\{cipher\}v1\./);
    const read = await tessera(['decrypt', '--key-file', '@key', '--json'], stdout);
    expect(JSON.parse(read.stdout)).toEqual({ plain });
  });

  test.each(cipherVectors('rsa'))('with RSA: $alg, strong $strong', async (row) => {
    const path = await file('rsa.pem', row.pem);
    const options = ['--key-file', path, '--padding', row.alg, '--salt', row.salt];
    const all = row.strong === 'true' ? [...options, '--strong'] : options;
    expect((await tessera(['decrypt', row.cipher, ...all])).stdout).toBe(`${row.plain}\n`);
  });

  test('with the RSA key of a PKCS#12 store', async () => {
    const store = keyStoreVectors().find(({ writtenBy }) => writtenBy === 'openssl 3.0');
    const path = await file('store.p12', store?.content ?? '');
    const options = ['--key-file', path, '--password-stdin'];
    const { stdout } = await tessera(['encrypt', 'x', ...options], store?.password);
    expect((await tessera(['decrypt', stdout, ...options], store?.password)).stdout).toBe('x\n');
  });

  test.each<[string, readonly string[], string]>([
    ['the text to encrypt', ['encrypt', '--key-file', '@key'], 'Text: \nThe same again: \n'],
    [
      'the password to encrypt with',
      ['encrypt', 'Mellon', ...QUICK],
      'Password: \nThe same again: \n',
    ],
    [
      'password and text, one after the other',
      ['encrypt', ...QUICK],
      'Password: \nThe same again: \nText: \nThe same again: \n',
    ],
  ])('read from a hidden prompt: %s', async (_what, args, prompts) => {
    const written = await typing('Mellon', args);
    expect(written).toMatchObject({ exitCode: 0, shown: prompts });
    const rest = args.slice(1).filter((arg) => arg !== 'Mellon');
    const read = await typing('Mellon', ['decrypt', written.stdout, ...rest]);
    expect(read.stdout).toBe('Mellon\n');
    expect(read.shown).toBe(prompts.startsWith('Text') ? '' : 'Password: \n');
  });

  test('with the key that profile dev has made, which a notice reports; none is made', async () => {
    const before = process.cwd();
    process.chdir(directory);
    try {
      expect(await tessera(['encrypt', 'x'])).toMatchObject({
        exitCode: 1,
        stderr: expect.stringMatching(/^tessera: there is no key: /),
      });
      await mkdir('.data');
      await writeFile('.data/encryption.key', newKeyFile(), { mode: 0o600 });
      const notice = 'tessera: no profile and no key given: using the key of profile dev\n';
      const { stdout, stderr } = await tessera(['encrypt', 'x']);
      expect(stderr).toBe(notice);
      const read = await tessera(['decrypt', stdout, '--profiles.active=dev']);
      expect(read).toEqual({ exitCode: 0, stdout: 'x\n', stderr: '' });
    } finally {
      process.chdir(before);
    }
  });
});

describe('a text is decrypted in the forms of settings files', () => {
  const options = ['--password-file', '@password', '--algorithm', 'PBEWithHmacSHA512AndAES_256'];
  const jasyptForm = ['password=Mellon', 'algorithm=PBEWithHmacSHA512AndAES_256'];

  test.each<[string, (cipher: string) => readonly string[], string]>([
    ['with {cipher}', (cipher) => [`{cipher}${cipher}`, ...options], 'x\n'],
    ['with {cas-cipher}', (cipher) => [` {cas-cipher}${cipher}`, ...options], 'x\n'],
    ['within ENC( )', (cipher) => [` ENC( ${cipher} )\n`, ...options], 'x\n'],
    ['in the form of Jasypt', (cipher) => [`input=ENC(${cipher})`, ...jasyptForm], 'x\n'],
    ['not within half of ENC( )', (cipher) => [`ENC(${cipher}`, ...options], ''],
  ])('%s', async (_what, argsFor, stdout) => {
    const written = await tessera(['encrypt', 'x', ...options]);
    expect(await tessera(['decrypt', ...argsFor(written.stdout.trim())])).toMatchObject({ stdout });
  });
});
