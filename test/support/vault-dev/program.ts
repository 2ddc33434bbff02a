// Owns building the Vault of the tests from the Go sources beside it, once, into a cache outside the tree: minutes from
// nothing. `node test/support/vault-dev/program.ts` does so ahead of the tests.
import { execFile, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** How long a build from nothing may take, in milliseconds. */
export const BUILD_TIMEOUT_MS = 900_000;

const SOURCES = import.meta.dirname;
const GO = 'go';
const FLAGS = ['-mod=readonly', '-trimpath', '-ldflags', '-s -w'];

/** Whether the program is there, or what it is built by. */
export function isVaultAvailable(): boolean {
  return existsSync(programPath()) || spawnSync(GO, ['version']).status === 0;
}

/**
 * Builds the program unless a former run has.
 *
 * @returns its path
 */
export async function buildVault(): Promise<string> {
  const program = programPath();
  if (existsSync(program)) return program;
  process.stderr.write('building Vault for the tests, once: this takes minutes\n');
  // Whatever is under the final name is whole, though a run be killed or two run at once.
  const unfinished = `${program}.${process.pid}`;
  await mkdir(join(program, '..'), { recursive: true });
  try {
    const env = { ...process.env, CGO_ENABLED: '0' };
    const options = { cwd: SOURCES, env, maxBuffer: 16 * 1_048_576 };
    await promisify(execFile)(GO, ['build', ...FLAGS, '-o', unfinished, '.'], options);
    await rename(unfinished, program);
    return program;
  } finally {
    await rm(unfinished, { force: true });
  }
}

/** Other sources have a program of their own. */
function programPath(): string {
  const hash = createHash('sha256');
  for (const name of ['go.mod', 'go.sum', 'main.go']) {
    hash.update(readFileSync(join(SOURCES, name)));
  }
  const cache = process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache');
  return join(cache, 'tessera', 'vault', `vault-dev-${hash.digest('hex').slice(0, 12)}`);
}

if (import.meta.main) process.stdout.write(`${await buildVault()}\n`);
