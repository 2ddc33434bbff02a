import { createPrivateKey } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { PasswordHashing, readKeyFile, sha256 } from '@tessera/crypto';
import { runProgram } from '../program.js';

let directory: string;
let path: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'tessera-keygen-'));
  path = join(directory, 'ring.key');
});
afterEach(() => rm(directory, { recursive: true }));

async function keygen(args: readonly string[], input = '') {
  const stdin = new PassThrough();
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  stdin.end(input);
  const exitCode = await runProgram(['keygen', ...args], { stdin, stdout, stderr });
  stdout.end();
  stderr.end();
  return { exitCode, stdout: await text(stdout), stderr: await text(stderr) };
}

describe('wrong use ends with 1, and nothing is written', () => {
  test.each<[string, readonly string[], RegExp]>([
    ['too few bits', ['a.key', '--rsa', '1024'], /--rsa takes 2048 to 4096 bits/],
    ['too many bits', ['a.key', '--rsa', '4097'], /--rsa takes 2048 to 4096 bits/],
    ['a file where bits belong', ['--rsa', 'a.key'], /the file stands before it/],
    ['an id that texts cannot carry', ['a.key', '--id', 'a.b'], /1 to 64 letters, digits/],
    ['an id for RSA', ['--rsa', '--id', 'a'], /cannot be used with option '--id/],
    ['two kinds', ['--token', '--password-hash'], /cannot be used with option/],
    ['a file for a token', ['a.key', '--token'], /to standard output/],
    ['a file for a hash', ['a.key', '--password-hash'], /to standard output/],
    ['no password', ['--password-hash'], /there is no password in standard input/],
    ['no such directory', ['none/a.key'], /cannot be written \(ENOENT\)/],
  ])('%s', async (_what, args, error) => {
    const inDirectory = args.map((arg) => (arg.endsWith('.key') ? join(directory, arg) : arg));
    const { exitCode, stdout, stderr } = await keygen(inDirectory);
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
    expect(stderr).toMatch(error);
    expect(await readdir(directory)).toEqual([]);
  });

  test('a file that is there', async () => {
    await writeFile(path, 'precious');
    const { exitCode, stderr } = await keygen([path]);
    expect({ exitCode, stderr }).toEqual({
      exitCode: 1,
      stderr: `tessera: there is a file ${path} already: nothing was written\n`,
    });
    expect(await readFile(path, 'utf8')).toBe('precious');
  });
});

describe('a new key', () => {
  test('is written to a file for its owner alone, and the next steps are printed', async () => {
    const { exitCode, stdout } = await keygen([path]);
    expect(exitCode).toBe(0);
    const file = await readKeyFile(path);
    const { kid, key } = file.kind === 'envelope' ? file.key : { kid: '', key: Buffer.alloc(0) };
    expect(key).toHaveLength(32);
    expect(stdout).toMatch(
      new RegExp(
        `^wrote the key ${kid} to .*\n[^]* last in encrypt.key-files and reload each node, ` +
          'then first, and reload again [^]*tessera rotate',
      ),
    );
    expect(stdout).not.toContain(key.toString('base64url'));
    expect((await stat(path)).mode & 0o777).toBe(0o600);
  });

  test('has the given id, and is described in JSON', async () => {
    const { stdout } = await keygen([path, '--id', '2031-05', '--json']);
    expect(JSON.parse(stdout)).toEqual({ id: '2031-05', file: path });
    expect(await readFile(path, 'utf8')).toMatch(/^v1\.2031-05\.[\w-]{43}\n$/);
  });

  test('goes to standard output where no file is named', async () => {
    const { stdout } = await keygen(['--id', 'k']);
    expect(stdout).toMatch(/^v1\.k\.[\w-]{43}\n$/);
    expect((await keygen(['--id', 'k'])).stdout).not.toBe(stdout);
    const json = JSON.parse((await keygen(['--json'])).stdout) as Record<string, string>;
    expect(json['key']).toMatch(new RegExp(`^v1\\.${json['id']}\\.[\\w-]{43}$`));
  });

  test('of RSA is PKCS#8 of 3072 bits by default', async () => {
    const { stdout } = await keygen(['--rsa']);
    expect(stdout).toMatch(/^-----BEGIN PRIVATE KEY-----\n/);
    expect(createPrivateKey(stdout).asymmetricKeyDetails?.modulusLength).toBe(3072);
  });

  test('of RSA has as many bits as given, and can be read from its file', async () => {
    const { stdout } = await keygen([path, '--rsa', '2048', '--json']);
    expect(JSON.parse(stdout)).toEqual({ id: 'ring', file: path });
    expect(await readKeyFile(path)).toMatchObject({ kind: 'rsa' });
    const { asymmetricKeyDetails } = createPrivateKey(await readFile(path));
    expect(asymmetricKeyDetails?.modulusLength).toBe(2048);
  });
});

describe('credentials of a client', () => {
  test('is a token of 256 bits, and the hash of it for the settings', async () => {
    const { stdout } = await keygen(['--token']);
    const [, token = '', hash] =
      /^token: ([A-Za-z0-9]{43})\ntoken-hash: (\S+)\n$/.exec(stdout) ?? [];
    expect(hash).toBe(`sha256:${sha256(token)}`);
    const json = JSON.parse((await keygen(['--token', '--json'])).stdout) as Record<string, string>;
    expect(json['token-hash']).toBe(`sha256:${sha256(json['token'] ?? '')}`);
    expect(json['token']).not.toBe(token);
  });

  test('is the argon2id hash of a password', async () => {
    const { stdout } = await keygen(['--password-hash'], 'Mellon\n');
    expect(stdout).toMatch(/^\$argon2id\$\S+\n$/);
    expect(await new PasswordHashing().verify(stdout.trim(), 'Mellon')).toBe(true);
  });
});
