// What is said when PostgreSQL's programs fail; small scripts stand in for the ones that a full disk
// or a foreign system makes fail.
import { chmod, chown, mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { makeFolder, removeFolder } from '../../../../test/support/folders.js';
import { prepareCluster } from './cluster.js';
import { type Place, preparePlace } from './place.js';
import { startPostmaster } from './postmaster.js';

let folder: string;

beforeEach(async () => {
  folder = await makeFolder();
});

afterEach(() => removeFolder(folder));

async function placeWithProgram(script: string): Promise<Place> {
  const place = await preparePlace(join(folder, 'postgres'), false);
  const program = join(folder, 'program');
  await writeFile(program, script);
  await chmod(program, 0o755);
  return { ...place, binaries: { ...place.binaries, initdb: program, postgres: program } };
}

describe('a program of PostgreSQL that fails', () => {
  test('leaves no data directory, and its own words, when it initialises', async () => {
    const place = await placeWithProgram('#!/bin/sh\necho No space left on device >&2; exit 1\n');
    await expect(prepareCluster(place)).rejects.toMatchObject({
      code: 'EMBEDDED_POSTGRES_FAILED',
      message: expect.stringContaining('No space left on device'),
    });
    expect((await readdir(place.home)).filter((name) => name.startsWith('data'))).toEqual([]);
  });

  test.each([
    [
      'its own words when it serves',
      '#!/bin/sh\necho No space left on device >&2; exit 1\n',
      'space',
    ],
    ['why it cannot be run', '#!/no/such/interpreter\n', 'ENOENT'],
  ])('leaves %s', async (_rule, script, words) => {
    const place = await placeWithProgram(script);
    await mkdir(place.data, { mode: 0o700 });
    if (place.user !== undefined) await chown(place.data, place.user.uid, place.user.gid);
    await expect(startPostmaster(place)).rejects.toMatchObject({
      code: 'EMBEDDED_POSTGRES_FAILED',
      message: expect.stringContaining(words),
    });
  });
});
