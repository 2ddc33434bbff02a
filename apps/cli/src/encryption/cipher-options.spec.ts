import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { newKeyFile } from '@tessera/crypto';
import { withoutArgumentWarnings } from '../../../../test/support/command-line.js';
import { runProgram } from '../program.js';

const PBE = 'PBEWithHmacSHA256AndAES_256';

let directory: string;
let keyFile: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'tessera-cipher-options-'));
  keyFile = join(directory, 'ring.key');
  await writeFile(keyFile, newKeyFile('k1'), { mode: 0o600 });
});
afterAll(() => rm(directory, { recursive: true }));

/** `@key` among the arguments is the path of a file with an AES key. */
async function tessera(args: readonly string[], input = 'Mellon\n') {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  stdin.end(input);
  const all = [
    `--settings.location=${directory}`,
    ...args.map((arg) => (arg === '@key' ? keyFile : arg)),
  ];
  const exitCode = await runProgram(all, { stdin, stdout, stderr });
  stdout.end();
  stderr.end();
  return {
    exitCode,
    stdout: await text(stdout),
    stderr: withoutArgumentWarnings(await text(stderr)),
  };
}

const JASYPT_OPTIONS = [
  ['--algorithm', PBE],
  ['--iterations', '1'],
  ['--provider', 'BC'],
  ['--iv'],
];
const RSA_OPTIONS = [['--padding', 'OAEP'], ['--strong']];

type Conflict = [command: string, error: string];
const CONFLICTS: readonly Conflict[] = [
  ...JASYPT_OPTIONS.map((option): Conflict => [
    `--kind rsa ${option.join(' ')}`,
    `${option[0]} goes with --kind jasypt, not rsa`,
  ]),
  ...RSA_OPTIONS.map((option): Conflict => [
    `--kind aes-gcm ${option.join(' ')}`,
    `${option[0]} goes with --kind rsa, not aes-gcm`,
  ]),
  ...JASYPT_OPTIONS.slice(1).map((option): Conflict => [
    option.join(' '),
    `${option[0]} goes with an --algorithm`,
  ]),
  ...RSA_OPTIONS.flatMap((option): Conflict[] => [
    [option.join(' '), `${option[0]} goes with --kind rsa`],
    [`--algorithm ${PBE} ${option.join(' ')}`, `${option[0]} goes with --kind rsa, not jasypt`],
  ]),
  [`--algorithm ${PBE} --salt cafe`, '--salt goes with other kinds: Jasypt makes its own'],
  ...['--salt cafe', '--strong', '--padding OAEP'].map((option): Conflict => [
    `--key-file @key ${option}`,
    `${option.split(' ')[0]} goes with an RSA key, not with the AES key of a --key-file`,
  ]),
  [
    '--key-file @key --kind aes-gcm --salt cafe',
    '--salt goes with an RSA key, not with the AES key of a --key-file',
  ],
];

describe('an option that does not apply is refused by name', () => {
  test.each(CONFLICTS)('%s', async (options, error) => {
    const password = options.includes('@key') ? [] : ['--password-stdin'];
    for (const task of ['encrypt', 'decrypt']) {
      expect(await tessera([task, 'x', ...password, ...options.split(' ')])).toEqual({
        exitCode: 1,
        stdout: '',
        stderr: `tessera: ${error}\n`,
      });
    }
  });

  test.each([
    ['algorithm', PBE],
    ['iterations', '1'],
    ['keyObtentionIterations', '1'],
    ['saltGeneratorClassName', 'RandomSaltGenerator'],
    ['ivGeneratorClassName', 'NoIvGenerator'],
    ['providerName', 'BC'],
    ['providerClassName', 'SunJCE'],
    ['stringOutputType', 'hexadecimal'],
  ])('%s=, in the form of Jasypt, for another kind', async (name, value) => {
    const args = ['input=x', 'password=y', `${name}=${value}`];
    expect(await tessera(['encrypt', ...args, '--kind', 'text'])).toEqual({
      exitCode: 1,
      stdout: '',
      stderr: `tessera: ${name}= goes with --kind jasypt, not text\n`,
    });
  });

  test('--prefix for a batch, of which nothing is read', async () => {
    expect(await tessera(['encrypt', '--batch', '--prefix', '--key-file', '@key'])).toEqual({
      exitCode: 1,
      stdout: '',
      stderr: 'tessera: give --prefix or --batch, not both\n',
    });
  });
});

describe('an option that applies is used', () => {
  test('text and password in the form of Jasypt, for another kind', async () => {
    const args = ['input=x', 'password=y', '--kind', 'text'];
    expect((await tessera(['encrypt', ...args])).stdout).toMatch(/^[0-9a-f]{64}\n$/);
  });

  test('the salt of a password, from which its AES-GCM key is derived', async () => {
    const password = ['--password-stdin', '--kind', 'aes-gcm'];
    const { stdout } = await tessera(['encrypt', 'x', ...password, '--salt', 'cafe']);
    const read = await tessera(['decrypt', stdout, ...password, '--salt', 'cafe']);
    expect(read.stdout).toBe('x\n');
    expect((await tessera(['decrypt', stdout, ...password])).exitCode).toBe(3);
  });
});

describe('the argument after -- is a text', () => {
  test.each<[string, readonly string[], string]>([
    ["that looks like Jasypt's arguments", ['--', 'password=geheim'], 'password=geheim'],
    ['that looks like an option', ['--', '--prefix'], '--prefix'],
    ['that is another --', ['--', '--'], '--'],
  ])('%s', async (_what, args, plain) => {
    const orders = [
      ['encrypt', '--key-file', '@key', ...args],
      ['--encrypt.key=Mellon', 'encrypt', ...args],
    ];
    for (const order of orders) {
      const { stdout, stderr } = await tessera(order);
      expect(stderr).toBe('');
      const key = order.includes('@key') ? ['--key-file', '@key'] : ['--encrypt.key=Mellon'];
      expect((await tessera(['decrypt', stdout, ...key])).stdout).toBe(`${plain}\n`);
    }
  });

  test("and Jasypt's arguments in front of it", async () => {
    const args = ['password=y', `algorithm=${PBE}`, 'iterations=1'];
    const { stdout } = await tessera(['encrypt', ...args, '--', 'input=z']);
    const read = await tessera(['decrypt', `input=${stdout.trim()}`, ...args]);
    expect(read.stdout).toBe('input=z\n');
  });

  test.each<[string, readonly string[]]>([
    ['two', ['--', 'a', 'b']],
    ['one on either side', ['a', '--', 'b']],
    ["Jasypt's input= and another", ['input=a', 'password=y', '--', 'b']],
  ])('alone: %s are refused', async (_what, args) => {
    const { exitCode, stderr } = await tessera(['encrypt', ...args]);
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining('more than one text: ')]);
  });
});
