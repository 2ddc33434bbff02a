// The last release, built from its tag into a cache outside the repository.
import { execFile, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, rm, symlink } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const ROOT = join(import.meta.dirname, '../..');
const run = promisify(execFile);

export interface Release {
  /** `v0.1.0` */
  readonly tag: string;
  readonly commit: string;
}

/** The tag with the highest version; undefined, with a line that says so, where there is no tag or no git. */
export function lastRelease(): Release | undefined {
  const listed = git('tag', '--list', 'v[0-9]*', '--sort=-version:refname');
  const [tag = ''] = listed.split('\n');
  if (tag === '') {
    process.stderr.write('left out: the test of upgrades, there is no tag of a release\n');
    return undefined;
  }
  return { tag, commit: git('rev-parse', `${tag}^{commit}`) };
}

/** Builds the release unless the cache has it. @returns its folder, with `dist` */
export async function buildRelease({ tag, commit }: Release): Promise<string> {
  const cache = join(process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'tessera');
  const folder = join(cache, 'releases', `${tag}-${await fingerprint(commit)}`);
  if (existsSync(folder)) return folder;
  // The rename keeps the final path complete, even if a build is killed or two run at once.
  const unfinished = `${folder}.${process.pid}`;
  await mkdir(unfinished, { recursive: true });
  try {
    const unpack = ['-ec', 'git archive "$0" | tar --extract --directory "$1"', commit, unfinished];
    await run('sh', unpack, { cwd: ROOT });
    await installPackages(unfinished);
    await run('npm', ['run', 'build'], { cwd: unfinished });
    await rename(unfinished, folder).catch((error: unknown) => {
      if (!existsSync(folder)) throw error;
    });
    return folder;
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
}

/** A hash of what the build depends on: the packages may be those of this checkout. */
async function fingerprint(commit: string): Promise<string> {
  const parts = [commit, ROOT, await readLock(ROOT)];
  return createHash('sha256').update(parts.join('\n')).digest('hex').slice(0, 12);
}

/** Links those of this checkout, if the release has the same. */
async function installPackages(folder: string): Promise<void> {
  if ((await readLock(ROOT)) === (await readLock(folder))) {
    await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
    return;
  }
  await run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: folder });
  // The script of this package brings the Node that runs the build.
  await run('npm', ['rebuild', 'node'], { cwd: folder });
}

function readLock(folder: string): Promise<string> {
  return readFile(join(folder, 'package-lock.json'), 'utf8');
}

function git(...args: readonly string[]): string {
  const { status, stdout } = spawnSync('git', args, { cwd: ROOT, encoding: 'utf8' });
  return status === 0 ? stdout.trim() : '';
}
