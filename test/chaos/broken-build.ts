// Builds a copy of the sources with one of the patches of `broken/`, whose records must be convicted.
import { execFile } from 'node:child_process';
import { cpSync, readdirSync, symlinkSync } from 'node:fs';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { makeFolder, removeFolder } from '../support/folders.js';

const run = promisify(execFile);
const ROOT = process.cwd();
const PATCHES = join(ROOT, 'test/chaos/broken');
const COPIED = ['apps', 'dist', 'libs', 'nest-cli.json', 'package.json', 'tsconfig.json'];

export const patchNames = (): readonly string[] =>
  readdirSync(PATCHES).map((file) => basename(file, '.patch'));

export function patchFile(name: string): string {
  return join(PATCHES, `${name}.patch`);
}

/** @throws Error for a name that is neither a patch nor the scenario without fencing */
export function isPatch(name: string): boolean {
  if (patchNames().includes(name)) return true;
  if (name === 'no-fencing') return false;
  throw new Error(`there are ${patchNames().join(', ')} and no-fencing, and no ${name}`);
}

export interface BrokenBuild {
  readonly folder: string;
  remove(): Promise<void>;
}

export async function brokenBuild(name: string): Promise<BrokenBuild> {
  const folder = await makeFolder();
  const remove = (): Promise<void> => removeFolder(folder);
  try {
    for (const each of COPIED) cpSync(join(ROOT, each), join(folder, each), { recursive: true });
    symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
    await run('git', ['apply', patchFile(name)], { cwd: folder });
    await run(join(ROOT, 'node_modules/.bin/nest'), ['build'], { cwd: folder });
    return { folder, remove };
  } catch (error) {
    await remove();
    throw error;
  }
}
