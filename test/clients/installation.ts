// Owns fetching a client of another language by that language's own package manager, once, into a
// cache outside the tree. Which versions is said by the manifests of this folder.
import { execFile, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

type Command = readonly [program: string, ...string[]];

export interface ClientPackage {
  readonly name: string;
  /** Commands that succeed where the tools of its language are there. */
  readonly tools: readonly Command[];
  /** The file of this folder that names what to install, and in which versions. */
  readonly manifest: string;
  install(manifest: string, folder: string): Command;
}

/** How long an installation may take, in milliseconds. */
export const INSTALL_TIMEOUT_MS = 300_000;

/** Says in one line that tests are left out; false where all tools are there. */
export function isSkipped({ name, tools }: ClientPackage): boolean {
  const missing = tools.find(([program, ...args]) => spawnSync(program, args).status !== 0);
  if (missing === undefined) return false;
  process.stderr.write(`left out: the tests with ${name}; «${missing.join(' ')}» does not run\n`);
  return true;
}

/**
 * Installs the client unless a former run has.
 *
 * @returns the folder it is in
 */
export async function installClient(client: ClientPackage): Promise<string> {
  const manifest = siblingFile(client.manifest);
  const folder = join(cacheFolder(), `${client.name}-${await fingerprint(client, manifest)}`);
  if (existsSync(folder)) return folder;
  // Whatever is under the final name is whole, though a run be killed or two run at once.
  const unfinished = `${folder}.${process.pid}`;
  await mkdir(unfinished, { recursive: true });
  try {
    const [program, ...args] = client.install(manifest, unfinished);
    await promisify(execFile)(program, args);
    await rename(unfinished, folder).catch((error: unknown) => {
      if (!existsSync(folder)) throw error;
    });
    return folder;
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
}

export function siblingFile(name: string): string {
  return join(import.meta.dirname, name);
}

function cacheFolder(): string {
  const cache = process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache');
  return join(cache, 'tessera', 'clients');
}

/** Other versions of the manifest or of the tools have a folder of their own. */
async function fingerprint({ tools }: ClientPackage, manifest: string): Promise<string> {
  const hash = createHash('sha256').update(await readFile(manifest));
  for (const [program, ...args] of tools) hash.update(spawnSync(program, args).stdout);
  return hash.digest('hex').slice(0, 12);
}
