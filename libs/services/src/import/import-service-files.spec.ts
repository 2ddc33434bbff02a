import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '../../../../test/support/database.js';
import { RegisteredServiceEntity } from '../registry/registered-service.entity.js';
import { ServiceStore } from '../registry/service-store.js';
import { importServiceFiles } from './import-service-files.js';

const execute = promisify(execFile);

let database: TestDatabase;
let store: ServiceStore;
let directory: string;

beforeAll(async () => {
  database = await createTestDatabase({ entities: [RegisteredServiceEntity] });
  store = new ServiceStore(database.dataSource);
});
afterAll(() => database.drop());
beforeEach(async () => {
  await database.dataSource.query('delete from registered_service');
  directory = await mkdtemp(join(tmpdir(), 'tessera-services-'));
});
afterEach(() => rm(directory, { recursive: true }));

const service = (fields: object = {}) =>
  JSON.stringify({
    '@class': 'org.apereo.cas.services.RegexRegisteredService',
    serviceId: 'https://a/.*',
    name: 'a',
    id: 1,
    ...fields,
  });

const write = (file: string, content: string | Buffer) => writeFile(join(directory, file), content);

/** What became of each file, in short. */
async function run(path = directory, options = {}) {
  const { files, complete } = await importServiceFiles(store, path, options);
  const outcomes = files.map((each) => [
    each.file,
    'reason' in each ? `${each.outcome}: ${each.reason}` : each.outcome,
  ]);
  return { complete, outcomes: Object.fromEntries(outcomes) as object };
}

describe('a file that cannot be taken is reported, and the others go on', () => {
  test.each<[string, string, (file: string) => Promise<unknown>]>([
    ['bad JSON', 'is not JSON: line 1 has no value where one is needed', (file) => write(file, '')],
    [
      'a file of another encoding',
      'is not UTF-8',
      (file) => write(file, Buffer.from([0x7b, 0xff])),
    ],
    [
      'a file that is too large',
      'has more than 1048576 bytes',
      (file) => write(file, ' '.repeat(1_048_577)),
    ],
    ['a directory', 'is no regular file', (file) => mkdir(join(directory, file))],
    [
      'a link out of the directory',
      'leads out of the directory',
      (file) => symlink('/etc/hostname', join(directory, file)),
    ],
    [
      'a link to nowhere',
      'cannot be read (ENOENT)',
      (file) => symlink('nowhere', join(directory, file)),
    ],
    [
      'a named pipe',
      'is no regular file',
      (file) => execute('/usr/bin/env', ['mkfifo', join(directory, file)]),
    ],
    ['the same service again', 'is the same service as a.json', (file) => write(file, service())],
  ])('%s', async (_what, reason, make) => {
    await write('a.json', service());
    await make('b.json');
    await write('c.json', service({ id: 3 }));
    expect(await run()).toEqual({
      complete: false,
      outcomes: { 'a.json': 'added', 'b.json': `refused: ${reason}`, 'c.json': 'added' },
    });
    expect(await store.list()).toHaveLength(2);
  });

  test('a service that was imported before stays as it was', async () => {
    await write('a.json', service());
    await run();
    const before = await store.list();
    await write('a.json', service({ serviceId: '(' }));
    expect(await run()).toMatchObject({ complete: false });
    expect(await store.list()).toEqual(before);
  });
});

test.each(['nowhere', 'nowhere.json'])('there is nothing to import at %s', async (path) => {
  await expect(run(join(directory, path))).rejects.toMatchObject({
    code: 'SERVICE_FILES_UNREADABLE',
  });
});

test('other files and hidden ones are left alone', async () => {
  await write('notes.txt', 'x');
  await write('.a.json', 'x');
  await mkdir(join(directory, 'more'));
  expect(await run()).toEqual({
    complete: true,
    outcomes: {
      more: 'ignored: is not a .json file',
      'notes.txt': 'ignored: is not a .json file',
    },
  });
});

test('links within the directory are followed, as mounted configuration has them', async () => {
  await mkdir(join(directory, '..2026'));
  await write('..2026/a.json', service());
  await symlink('..2026', join(directory, '..data'));
  await symlink('..data/a.json', join(directory, 'a.json'));
  expect((await run()).outcomes).toEqual({ 'a.json': 'added' });
});

test('a single file is imported alone', async () => {
  await write('a.json', service());
  await write('b.json', service({ id: 2 }));
  expect(await run(join(directory, 'a.json'))).toEqual({
    complete: true,
    outcomes: { 'a.json': 'added' },
  });
});

test('importing again changes nothing, and a changed file changes its service', async () => {
  await write('a.json', service());
  await write('b.json', service({ id: undefined, name: 'b' }));
  await run();
  const version = await store.version();
  expect((await run()).outcomes).toEqual({ 'a.json': 'unchanged', 'b.json': 'unchanged' });
  expect(await store.version()).toBe(version);
  await write('a.json', service({ evaluationOrder: 5 }));
  expect((await run()).outcomes).toEqual({ 'a.json': 'changed', 'b.json': 'unchanged' });
});

test('a dry run reports the same and stores nothing', async () => {
  await write('a.json', service());
  expect((await run(directory, { dryRun: true })).outcomes).toEqual({ 'a.json': 'added' });
  expect(await store.list()).toEqual([]);
});

test('what is not understood disables the service, and the report says so', async () => {
  await write('a.json', service({ theme: 'x', requiredHandlers: ['ldap'] }));
  expect(await importServiceFiles(store, directory)).toEqual({
    complete: false,
    files: [
      {
        file: 'a.json',
        outcome: 'added',
        name: 'a',
        enabled: false,
        taken: ['serviceId', 'name', 'id'],
        withoutEffect: [{ member: 'theme', reason: 'has no effect: it is for pages and people' }],
        notUnderstood: [{ member: 'requiredHandlers', reason: 'is not understood' }],
      },
    ],
  });
  expect(await store.list()).toMatchObject([{ enabled: false }]);
});

test('the definitions that come with the program are understood to the last member', async () => {
  const shipped = fileURLToPath(new URL('../../../../apps/sso/services', import.meta.url));
  const { files, complete } = await importServiceFiles(store, shipped);
  expect(complete).toBe(true);
  expect(files).toMatchObject([
    { file: 'localhost-10000001.json', outcome: 'added', enabled: true, withoutEffect: [] },
  ]);
});
