// As root, the server runs as another user, who may be unable to enter the checkout; otherwise, as the user of the
// process. Only root can test both, so other users skip these tests.
import { spawnSync } from 'node:child_process';
import {
  chmod,
  chown,
  lstat,
  mkdir,
  readdir,
  readFile,
  readlink,
  stat,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { makeFolder, removeFolder } from '../../../test/support/folders.js';
import { startEmbeddedPostgresProcess } from '../../../test/support/embedded-postgres-process.js';
import { query } from '../../../test/support/query.js';
import { makePrivate } from './instance.js';
import { openEmbeddedPostgres } from './embedded-postgres.js';
import { canReach, isRoot, locatePrograms, serverUser, type SystemUser } from './programs.js';

const NOBODY = { uid: 65_534, gid: 65_534, name: 'nobody' };

const forRoot = isRoot() ? describe : describe.skip;
const isOpen = isRoot() && (await canReach(NOBODY, import.meta.dirname));
/** Other users can start programs only where they can read them. */
const inOpenCheckout = isOpen ? describe : describe.skip;
if (!isRoot()) console.warn('Not root: leaving out the tests that need two users of the system.');
else if (!isOpen) console.warn('Checkout closed to others: leaving out the tests as other users.');

let folder: string;

beforeEach(async () => {
  folder = await makeFolder();
});

afterEach(() => removeFolder(folder));

/** The outcome of connecting to the URL as another user: `connected`, or the code of the error. */
function connectAs(user: SystemUser, url: string): string {
  const program = `
    import pg from 'pg';
    const client = new pg.Client({ connectionString: process.argv[1] });
    client.on('error', () => {});
    const outcome = await client.connect().then(() => 'connected', (error) => error.code);
    console.log(outcome);
    process.exit();`;
  const options = { ...user, cwd: import.meta.dirname, env: {}, encoding: 'utf8' } as const;
  const parameters = ['--input-type=module', '--eval', program, url];
  return spawnSync(process.execPath, parameters, options).stdout.trim();
}

forRoot('started by root', () => {
  test('keeps the data elsewhere, with a link, under a folder closed to the server', async () => {
    const closed = join(folder, 'closed');
    await mkdir(closed, { mode: 0o700 });
    const directory = join(closed, '.data/postgres');
    const first = await openEmbeddedPostgres({ directory, durable: false });
    const home = await readlink(directory);
    expect(home).toMatch(/^\/var\/lib\/tessera\/[0-9a-f]{16}-[0-9a-f]{8}$/);
    await query(first.url, 'create table kept as select 7 as n');
    await first.stop();
    const again = await openEmbeddedPostgres({ directory, durable: false });
    expect(await query(again.url, 'select n from kept')).toEqual([{ n: 7 }]);
    await again.stop();
    expect(await readFile(join(home, 'origin'), 'utf8')).toBe(`${directory}\n`);
    await removeFolder(directory);
  });

  test('names the user and the non-empty folder that the user cannot enter', async () => {
    const directory = join(folder, 'closed/data');
    await mkdir(directory, { recursive: true });
    await chmod(join(folder, 'closed'), 0o700);
    await writeFile(join(directory, 'something'), '');
    await expect(openEmbeddedPostgres({ directory })).rejects.toMatchObject({
      code: 'EMBEDDED_POSTGRES_FAILED',
      message: expect.stringContaining(directory),
    });
  });

  test('copies the programs once for a user who cannot reach them', async () => {
    const installed = join(folder, 'closed/package');
    await mkdir(join(installed, 'native/bin'), { recursive: true, mode: 0o700 });
    await writeFile(join(installed, 'package.json'), '{"version":"18.4.0"}');
    for (const name of ['postgres', 'initdb']) {
      await writeFile(join(installed, 'native/bin', name), '#!/bin/sh\n', { mode: 0o700 });
    }
    await chmod(join(folder, 'closed'), 0o700);
    const store = join(folder, 'store');
    const programs = await locatePrograms(NOBODY, store, () => installed);
    expect(programs).toMatchObject({ major: '18' });
    expect(await canReach(NOBODY, programs.postgres)).toBe(true);
    const { ino } = await stat(programs.postgres);
    await Promise.all([1, 2].map(() => locatePrograms(NOBODY, store, () => installed)));
    expect((await stat(programs.postgres)).ino).toBe(ino);
    expect(await readdir(store)).toHaveLength(1);
  });

  test('runs the server as the owner of the data', async () => {
    await mkdir(join(folder, 'data'));
    await chown(join(folder, 'data'), NOBODY.uid, NOBODY.gid);
    expect(await serverUser(join(folder, 'data'))).toMatchObject({ uid: NOBODY.uid });
  });

  test('refuses to run as an owner the system does not know', async () => {
    await mkdir(join(folder, 'data'));
    await chown(join(folder, 'data'), 54_321, 54_321);
    await expect(serverUser(join(folder, 'data'))).rejects.toThrow('54321');
  });

  test.each<[string, () => Promise<void>]>([
    ['of another user', () => chown(join(folder, 'socket'), 12_345, 12_345)],
    ['that others may enter', () => chmod(join(folder, 'socket'), 0o755)],
  ])('refuses a socket folder %s', async (_rule, change) => {
    await mkdir(join(folder, 'socket'), { mode: 0o700 });
    await change();
    await expect(makePrivate(join(folder, 'socket'), NOBODY)).rejects.toMatchObject({
      code: 'EMBEDDED_POSTGRES_FAILED',
      message: expect.stringContaining('not a private folder'),
    });
  });
});

inOpenCheckout('for other users', () => {
  test('is closed, by its folder and by their identity', async () => {
    const server = await openEmbeddedPostgres({ directory: folder, durable: false });
    const user = (await serverUser(join(folder, 'data'))) as SystemUser;
    expect(user.uid).not.toBe(0);
    expect((await stat(join(folder, 'data'))).uid).toBe(user.uid);
    const stranger = user.name === 'nobody' ? { ...NOBODY, uid: 12_345 } : NOBODY;
    expect(connectAs(stranger, server.url)).toBe('EACCES');
    await chmod(join(folder, 'socket'), 0o755);
    await chmod(join(folder, 'socket/.s.PGSQL.5432'), 0o777);
    expect(connectAs(stranger, server.url)).toBe('28000');
    expect(connectAs(user, server.url)).toBe('connected');
    await server.stop();
  });
});

inOpenCheckout('started by an ordinary user', () => {
  test('runs as that user, in private folders', async () => {
    const directory = join(folder, 'own');
    await mkdir(directory);
    await chown(directory, NOBODY.uid, NOBODY.gid);
    const holder = await startEmbeddedPostgresProcess(join(directory, 'postgres'), NOBODY);
    expect(holder.message).toBeUndefined();
    const home = await lstat(join(directory, 'postgres'));
    expect({ uid: home.uid, mode: home.mode & 0o777 }).toEqual({ uid: NOBODY.uid, mode: 0o700 });
    // Root may look in.
    expect(await query(holder.url as string, 'select 1 as n')).toEqual([{ n: 1 }]);
    await holder.stop();
  });

  test('names the operation that it may not do, and the path', async () => {
    const holder = await startEmbeddedPostgresProcess(join(folder, 'postgres'), NOBODY);
    expect(holder.code).toBe('EMBEDDED_POSTGRES_FAILED');
    expect(holder.message).toMatch(/EACCES.*postgres/);
  });
});

describe('programs for this platform', () => {
  test('are missing with advice on a platform without them', async () => {
    const missing = (): string => {
      throw new Error('not found');
    };
    await expect(locatePrograms(undefined, folder, missing)).rejects.toMatchObject({
      code: 'EMBEDDED_POSTGRES_UNSUPPORTED',
      message: expect.stringContaining('database.url'),
    });
  });
});
