// Failures of PostgreSQL's programs. Small scripts take the place of programs that fail on a full disk or a foreign system.
import { chmod, chown, mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { makeFolder, removeFolder } from '../../../../test/support/folders.js';
import { prepareDataDirectory } from './data-directory.js';
import { type Instance, prepareInstance } from './instance.js';
import { startPostmaster } from './postmaster.js';

let folder: string;

beforeEach(async () => {
  folder = await makeFolder();
});

afterEach(() => removeFolder(folder));

async function instanceWithProgram(script: string): Promise<Instance> {
  const instance = await prepareInstance(join(folder, 'postgres'), false);
  const program = join(folder, 'program');
  await writeFile(program, script);
  await chmod(program, 0o755);
  return { ...instance, programs: { ...instance.programs, initdb: program, postgres: program } };
}

describe('a program of PostgreSQL that fails', () => {
  test('leaves no data directory, and its own words, when it initialises', async () => {
    const instance = await instanceWithProgram(
      '#!/bin/sh\necho No space left on device >&2; exit 1\n',
    );
    await expect(prepareDataDirectory(instance)).rejects.toMatchObject({
      code: 'EMBEDDED_POSTGRES_FAILED',
      message: expect.stringContaining('No space left on device'),
    });
    expect((await readdir(instance.home)).filter((name) => name.startsWith('data'))).toEqual([]);
  });

  test.each([
    [
      'its own words when it serves',
      '#!/bin/sh\necho No space left on device >&2; exit 1\n',
      'space',
    ],
    ['why it cannot be run', '#!/no/such/interpreter\n', 'ENOENT'],
  ])('leaves %s', async (_rule, script, words) => {
    const instance = await instanceWithProgram(script);
    await mkdir(instance.data, { mode: 0o700 });
    if (instance.user !== undefined) {
      await chown(instance.data, instance.user.uid, instance.user.gid);
    }
    await expect(startPostmaster(instance)).rejects.toMatchObject({
      code: 'EMBEDDED_POSTGRES_FAILED',
      message: expect.stringContaining(words),
    });
  });
});
