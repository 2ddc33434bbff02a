import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { makeFolder, removeFolder } from '../../../../../test/support/folders.js';
import { GitProgram } from './git-program.js';

let folder: string;
const PATH = process.env['PATH'] ?? '';

beforeAll(async () => {
  folder = await makeFolder();
});
afterAll(() => removeFolder(folder));

function programIn(path: string): GitProgram {
  const environment = { PATH: path };
  return new GitProgram(join(folder, 'clone'), { local: environment, remote: environment }, 5_000);
}

/** A fake git that prints the version. */
async function gitOfVersion(version: string): Promise<GitProgram> {
  const path = join(folder, 'git');
  await writeFile(path, `#!/bin/sh\necho '${version}'\n`);
  await chmod(path, 0o700);
  return programIn(`${folder}:${PATH}`);
}

test.each(['git version 1.9.1', 'git version 2.31.9', 'git version 2.9.0.windows.1'])(
  '%s is too old',
  async (version) => {
    const git = await gitOfVersion(version);
    await expect(git.requireVersion()).rejects.toMatchObject({
      code: 'GIT_UNUSABLE',
      message: `${version} is too old: 2.32 or newer is needed`,
    });
  },
);

test.each(['git version 2.32.0', 'git version 3.0', 'git version 2.39.5 (Apple Git-154)', 'gitty'])(
  '%s is accepted',
  async (version) => {
    const git = await gitOfVersion(version);
    await expect(git.requireVersion()).resolves.toBeUndefined();
  },
);
