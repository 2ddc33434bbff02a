import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from '@jest/globals';
import { runProgram } from '../program.js';

async function tessera(args: readonly string[], input = '') {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  stdin.end(input);
  const exitCode = await runProgram(args, { stdin, stdout, stderr });
  stdout.end();
  stderr.end();
  return { exitCode, stdout: await text(stdout), stderr: await text(stderr) };
}

describe('are refused with the reason', () => {
  test.each<[string, readonly string[], RegExp]>([
    ['several texts', ['encrypt', 'a', 'b'], /^tessera: more than one text/],
    [
      'an unknown name',
      ['encrypt', 'input=a', 'passwort=b'],
      /unknown argument passwort=: .*input=/,
    ],
    ['a repeated name', ['encrypt', 'input=a', 'input=b'], /input= is given twice/],
    [
      'another salt generator',
      ['encrypt', 'input=a', 'saltGeneratorClassName=ZeroSaltGenerator'],
      /saltGeneratorClassName=ZeroSaltGenerator is not supported: only .*RandomSaltGenerator/,
    ],
    [
      'another IV generator',
      ['encrypt', 'input=a', 'ivGeneratorClassName=x.RandomIvGenerator'],
      /only org.jasypt.iv.RandomIvGenerator or /,
    ],
    [
      'another output',
      ['encrypt', 'input=a', 'stringOutputType=base32'],
      /only base64 or hexadecimal/,
    ],
    [
      'two numbers of iterations',
      ['encrypt', 'iterations=1', 'keyObtentionIterations=2'],
      /differ/,
    ],
    [
      'iterations that are no number',
      ['encrypt', 'input=a', 'password=b', 'iterations=1e3'],
      /iterations must be a whole number/,
    ],
    [
      'an unknown provider',
      ['encrypt', 'input=a', 'password=b', 'providerName=IBMJCE'],
      /"IBMJCE"/,
    ],
  ])('%s', async (_what, args, error) => {
    const { exitCode, stdout, stderr } = await tessera(args);
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
    expect(stderr).toMatch(error);
  });
});

// Both texts were written by Jasypt 1.9.3's own command line.
describe('are taken', () => {
  const WARNING = /^tessera: every user of this machine can read the password among the arguments/;

  test.each<[string, readonly string[]]>([
    ['its defaults', ['input=XhtXHZRslimM3mRaXuBHMA==', 'password=y']],
    [
      'short names of classes, and the provider by its class',
      [
        'input=XhtXHZRslimM3mRaXuBHMA==',
        'password=y',
        'saltGeneratorClassName=RandomSaltGenerator',
        'ivGeneratorClassName=NoIvGenerator',
        'verbose=false',
        'providerClassName=com.sun.crypto.provider.SunJCE',
        'iterations=1000',
      ],
    ],
    [
      'hexadecimal digits',
      ['input=84C321887CEE85522996D4B70C7E3C92', 'password=y', 'stringOutputType=hexadecimal'],
    ],
  ])('to decrypt: %s', async (_what, args) => {
    const { exitCode, stdout, stderr } = await tessera(['decrypt', ...args]);
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: 'x\n' });
    expect(stderr).toMatch(WARNING);
  });

  test('to encrypt, with a warning of an old algorithm', async () => {
    const args = ['password=y', 'stringOutputType=hexadecimal', 'keyObtentionIterations=5'];
    const { stdout, stderr } = await tessera(['encrypt', 'input=a=b', ...args]);
    expect(stdout).toMatch(/^[0-9A-F]{32}\n$/);
    expect(stderr).toMatch(/this algorithm is for reading old values/);
    expect((await tessera(['decrypt', `input=${stdout.trim()}`, ...args])).stdout).toBe('a=b\n');
  });

  test('with a password from elsewhere, without a warning of it', async () => {
    const args = [
      'input=x',
      'algorithm=PBEWithHmacSHA256AndAES_256',
      'ivGeneratorClassName=org.jasypt.iv.RandomIvGenerator',
    ];
    expect(await tessera(['encrypt', ...args, '--password-stdin'], 'Mellon\n')).toEqual({
      exitCode: 0,
      stdout: expect.stringMatching(/^[\w+/=]{64}\n$/),
      stderr:
        'tessera: every user of this machine can read the text among the arguments: better give standard input or --input-file\n',
    });
  });
});
