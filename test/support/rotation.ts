// Settings files with encrypted values in a temporary directory, and `tessera rotate` run on them.
import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect } from '@jest/globals';
import {
  envelopeRingKey,
  JasyptCipher,
  KeyRing,
  newKeyFile,
  readKeyFile,
  SpringTextCipher,
} from '@tessera/crypto';
import { runProgram } from '../../apps/cli/src/program.js';

export const JASYPT = { algorithm: 'PBEWithMD5AndTripleDES', password: 'Mellon' };
export const FROM_JASYPT = ['--from-algorithm', JASYPT.algorithm, '--password-file', '@password'];
export const NEW_AND_OLD = ['--key-file', '@new.key', '--key-file', '@old.key'];

type Writer = 'old' | 'new' | 'jasypt' | 'spring' | 'binary';

export class RotationDirectory {
  /** Changed by {@link clear}. */
  path = '';

  private constructor(
    /** The folder of the keys `new.key` and `old.key`, and of the file `password`. */
    readonly keys: string,
    /** Encrypted texts by the key or library that wrote them. */
    readonly written: Readonly<Record<Writer, string>>,
  ) {}

  static async make(): Promise<RotationDirectory> {
    const keys = await mkdtemp(join(tmpdir(), 'tessera-rotate-'));
    await writeFile(join(keys, 'new.key'), newKeyFile('new'), { mode: 0o600 });
    await writeFile(join(keys, 'old.key'), newKeyFile('old'), { mode: 0o600 });
    await writeFile(join(keys, 'password'), 'Mellon\n', { mode: 0o600 });
    const secret = Buffer.from('s\u00e9cret: "+"');
    const spring = { password: 'Mellon', salt: 'deadbeef', kind: 'text' } as const;
    const old = await ringOf(keys, 'old');
    return new RotationDirectory(keys, {
      old: await old.encrypt(secret),
      new: await (await ringOf(keys, 'new')).encrypt(secret),
      binary: await old.encrypt(Buffer.from([0xff])),
      jasypt: await JasyptCipher.open(JASYPT).encrypt(secret),
      spring: await (await SpringTextCipher.open(spring)).encrypt(secret),
    });
  }

  /** Continues in a new, empty directory. */
  async clear(): Promise<void> {
    this.path = join(this.keys, randomUUID());
    await mkdir(this.path);
  }

  async remove(): Promise<void> {
    await rm(this.keys, { recursive: true });
  }

  /** Writes a file in which `@old` stands for the text of the old key, and so on. */
  async given(name: string, form: string): Promise<string> {
    const path = join(this.path, name);
    const known = form.replaceAll(
      /@(old|new|jasypt|spring|binary)/g,
      (_, by: Writer) => this.written[by],
    );
    await writeFile(path, known);
    return path;
  }

  /** The content, with `@new` for texts of the new key, after a check that they contain the secret. */
  async contentOf(name: string): Promise<string> {
    const found = await readFile(join(this.path, name), 'utf8');
    for (const [cipher] of found.matchAll(/v1\.new\.[\w-]+/g)) {
      const ring = await ringOf(this.keys, 'new');
      expect(String(await ring.decrypt(cipher))).toBe('s\u00e9cret: "+"');
    }
    return found.replaceAll(/v1\.new\.[\w-]+/g, '@new').replaceAll(this.written.old, '@old');
  }

  /** Arguments that begin with `@` are files of keys. */
  async rotate(...args: readonly string[]): Promise<RotateResult> {
    const stdin = new PassThrough();
    const [stdout, stderr] = [new PassThrough(), new PassThrough()];
    stdin.end('Mellon\n');
    const all = args.map((arg) => (arg.startsWith('@') ? join(this.keys, arg.slice(1)) : arg));
    const argv = ['rotate', `--settings.location=${this.keys}`, ...all];
    const exitCode = await runProgram(argv, { stdin, stdout, stderr });
    stdout.end();
    stderr.end();
    const [output, errors] = [await text(stdout), await text(stderr)].map((each) =>
      each.replaceAll(`${this.path}/`, ''),
    );
    return { exitCode, stdout: output ?? '', stderr: errors ?? '' };
  }
}

/** Paths are relative to the directory. */
export interface RotateResult {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

async function ringOf(keys: string, name: string): Promise<KeyRing> {
  const file = await readKeyFile(join(keys, `${name}.key`));
  if (file.kind !== 'envelope') throw new Error(`${name} is no AES key`);
  return new KeyRing([envelopeRingKey(file.key)]);
}
