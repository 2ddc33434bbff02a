// Builds the Vault of the tests from the Go sources in this folder, once, into a cache outside the repository. The
// first build takes minutes; `node test/support/vault-dev/program.ts` runs it before the tests.
import { execFile, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

export const BUILD_TIMEOUT_MS = 900_000;

const SOURCES = import.meta.dirname;
const GO = 'go';
const FLAGS = ['-mod=readonly', '-trimpath', '-ldflags', '-s -w'];

/** Whether the program is built, or Go is installed to build it. */
export function isVaultAvailable(): boolean {
  return existsSync(programPath()) || spawnSync(GO, ['version']).status === 0;
}

/**
 * Builds the program if the cache does not have it.
 *
 * @returns its path
 */
export async function buildVault(): Promise<string> {
  const program = programPath();
  if (existsSync(program)) return program;
  process.stderr.write('building Vault for the tests, once: this takes minutes\n');
  // The rename keeps the final path complete, even if a build is killed or two run at once.
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

/** The path depends on a hash of the sources. */
function programPath(): string {
  const hash = createHash('sha256');
  for (const name of ['go.mod', 'go.sum', 'main.go']) {
    hash.update(readFileSync(join(SOURCES, name)));
  }
  const cache = process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache');
  return join(cache, 'tessera', 'vault', `vault-dev-${hash.digest('hex').slice(0, 12)}`);
}

if (import.meta.main) process.stdout.write(`${await buildVault()}\n`);
