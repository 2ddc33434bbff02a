import { execFile } from 'node:child_process';
import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, test } from '@jest/globals';
import { serviceImportSuite } from '../../../../test/support/service-import.js';
import { ServiceSnapshot } from '../matching/service-snapshot.js';
import { importServiceFiles } from './import-service-files.js';

const execute = promisify(execFile);

const suite = serviceImportSuite();
const { service, write, run } = suite;

describe('a file that cannot be read refuses the whole import', () => {
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
    [
      'a directory with the name of a file',
      'is no regular file',
      (file) => mkdir(join(suite.directory, file)),
    ],
    [
      'a link out of the directory',
      'is a link out of the directory',
      (file) => symlink('/etc/hostname', join(suite.directory, file)),
    ],
    [
      'a link to nowhere',
      'does not exist',
      (file) => symlink('nowhere', join(suite.directory, file)),
    ],
    [
      'a named pipe',
      'is no regular file',
      (file) => execute('/usr/bin/env', ['mkfifo', join(suite.directory, file)]),
    ],
    ['the same service again', 'is the same service as a.json', (file) => write(file, service())],
    ['JSON that is no object', 'is not a service', (file) => write(file, '[]')],
    [
      'a service of unknown kind without a pattern',
      'serviceId must not be empty',
      (file) => write(file, '{"@class":"org.apereo.cas.services.SomeRegisteredService"}'),
    ],
    [
      'a pattern with a look-ahead',
      'serviceId is not an RE2 pattern: invalid or unsupported Perl syntax: (?!',
      (file) => write(file, service({ serviceId: 'https://(?!a)/.*', id: 2 })),
    ],
    [
      'an escape that is none',
      String.raw`is not JSON: line 1, column 82: \. is no escape; write \\.`,
      (file) =>
        write(
          file,
          service({ serviceId: 'https://a\\.b/' }).replace(String.raw`\\.`, String.raw`\.`),
        ),
    ],
    [
      'an order that is no integer',
      'evaluationOrder must be an integer, -2147483648 to 2147483647',
      (file) => write(file, service({ evaluationOrder: '2x', id: 2 })),
    ],
    [
      'another way of matching',
      'matchingStrategy is of a kind that is not known here (no class)',
      (file) => write(file, service({ matchingStrategy: {}, id: 2 })),
    ],
  ])('%s', async (_what, reason, make) => {
    await write('a.json', service());
    await make('b.json');
    await write('c.json', service({ id: 3 }));
    const outcomes = { 'a.json': 'added', 'b.json': `refused: ${reason}`, 'c.json': 'added' };
    expect(await run()).toEqual({ complete: false, refused: true, outcomes });
    expect(await suite.store.list()).toEqual([]);
    expect(await run(suite.directory, { skipUnreadable: true })).toEqual({
      complete: false,
      refused: false,
      outcomes,
    });
    expect(await suite.store.list()).toHaveLength(2);
  });

  test.each([{}, { skipUnreadable: true }])(
    'and a service that was imported before stays as it was: %j',
    async (options) => {
      await write('a.json', service());
      await run();
      const before = await suite.store.list();
      await write('a.json', service({ serviceId: '(' }));
      expect(await run(suite.directory, options)).toMatchObject({ complete: false });
      expect(await suite.store.list()).toEqual(before);
    },
  );
});

describe('a refused file is reported with the service that gets its URLs', () => {
  const BROAD = { serviceId: '^https://.*', name: 'Everything', evaluationOrder: 1000 };
  const OWN = 'without it, https://pay.example.org/x belongs to';

  async function adviceOn(fields: object): Promise<unknown> {
    await write('pay.json', service({ id: 2, name: 'Pay', ...fields }));
    const { files } = await importServiceFiles(suite.store, suite.directory);
    const report = files.find(({ file }) => file === 'pay.json');
    return report !== undefined && 'advice' in report ? report.advice[0] : undefined;
  }
  const PAY = { serviceId: '^https://pay\\.example\\.org/(?!public/).*' };

  test('that another file gives', async () => {
    await write('broad.json', service(BROAD));
    expect(await adviceOn(PAY)).toBe(
      `${OWN} "Everything" (enabled, order 1000, pattern ^https://.*)`,
    );
  });

  test('that is stored already', async () => {
    await suite.store.add({ ...BROAD, name: 'Stored' });
    expect(await adviceOn(PAY)).toBe(`${OWN} "Stored" (enabled, order 1000, pattern ^https://.*)`);
  });

  test('as an import of the other files leaves it', async () => {
    await write('broad.json', service(BROAD));
    await run();
    await write('broad.json', service({ ...BROAD, evaluationOrder: 7 }));
    expect(await adviceOn(PAY)).toBe(`${OWN} "Everything" (enabled, order 7, pattern ^https://.*)`);
  });

  test('that comes first', async () => {
    await write('broad.json', service(BROAD));
    await suite.store.add({ serviceId: '.*', name: 'Closed', evaluationOrder: 5, enabled: false });
    expect(await adviceOn(PAY)).toBe(`${OWN} "Closed" (disabled, order 5, pattern .*)`);
  });

  test.each([
    ['^https://(?!pay\\.)[^/]+\\.example\\.org/.*', true],
    ['^https://pay\\.example\\.org/(?!public/).*', false],
  ])('and a warning where its exception may be too broad: %s', async (serviceId, isWarned) => {
    await write('pay.json', service({ id: 2, serviceId }));
    const { files } = await importServiceFiles(suite.store, suite.directory);
    const lines = files.flatMap((file) => ('advice' in file ? file.advice : []));
    const hasWarning = lines.some((line) => line.startsWith('the exception closes every URL'));
    expect(hasWarning).toBe(isWarned);
  });

  test.each(['^(?!https://pay).*', '(a)\\1'])(
    'or with a note that no sample URL could be made of it: %s',
    async (serviceId) => {
      await write('broad.json', service(BROAD));
      expect(await adviceOn({ serviceId })).toBe(
        'without it, its URLs may belong to another service: no example could be made of its pattern',
      );
    },
  );

  test('or with none', async () => {
    expect(await adviceOn(PAY)).toBe(
      'without it, no service was found for https://pay.example.org/x',
    );
  });

  test('whatever else the file is refused for', async () => {
    await write('broad.json', service(BROAD));
    expect(await adviceOn({ serviceId: PAY.serviceId.replace('(?!public/)', ''), id: 1 })).toBe(
      `${OWN} "Everything" (enabled, order 1000, pattern ^https://.*)`,
    );
  });
});

describe('a service of unknown kind', () => {
  const OTHER = { '@class': 'org.apereo.cas.services.SomeRegisteredService', evaluationOrder: 5 };

  test.each([{ id: 7 }, { id: undefined }])(
    'is disabled until its file becomes a CAS service: %j',
    async (fields) => {
      await write('a.json', service({ ...OTHER, ...fields }));
      expect(await run()).toEqual({
        complete: false,
        refused: false,
        outcomes: { 'a.json': 'added' },
      });
      const [before] = await suite.store.list();
      expect(before).toMatchObject({ name: 'a', evaluationOrder: 5, enabled: false });
      expect(await run()).toMatchObject({ outcomes: { 'a.json': 'unchanged' } });
      await write('a.json', service({ evaluationOrder: 5, ...fields }));
      expect(await run()).toMatchObject({ complete: true, outcomes: { 'a.json': 'changed' } });
      expect(await suite.store.list()).toEqual([{ ...before, enabled: true }]);
    },
  );
});

test.each(['nowhere', 'nowhere.json'])('there is nothing to import at %s', async (path) => {
  await expect(run(join(suite.directory, path))).rejects.toMatchObject({
    code: 'SERVICE_FILES_UNREADABLE',
  });
});

test('a single file is imported alone', async () => {
  await write('a.json', service());
  await write('b.json', service({ id: 2 }));
  expect(await run(join(suite.directory, 'a.json'))).toEqual({
    complete: true,
    refused: false,
    outcomes: { 'a.json': 'added' },
  });
});

test('importing again changes nothing, and a changed file changes its service', async () => {
  await write('a.json', service());
  await write('b.json', service({ id: undefined, name: 'b' }));
  await run();
  const version = await suite.store.version();
  expect((await run()).outcomes).toEqual({ 'a.json': 'unchanged', 'b.json': 'unchanged' });
  expect(await suite.store.version()).toBe(version);
  await write('a.json', service({ evaluationOrder: 5 }));
  expect((await run()).outcomes).toEqual({ 'a.json': 'changed', 'b.json': 'unchanged' });
});

test('a dry run reports the same and stores nothing', async () => {
  await write('a.json', service());
  expect((await run(suite.directory, { dryRun: true })).outcomes).toEqual({ 'a.json': 'added' });
  expect(await suite.store.list()).toEqual([]);
});

test('a member that is not understood disables the service, and the report says so', async () => {
  await write('a.json', service({ theme: 'x', requiredHandlers: ['ldap'] }));
  expect(await importServiceFiles(suite.store, suite.directory)).toEqual({
    complete: false,
    refused: false,
    changes: true,
    files: [
      {
        file: 'a.json',
        outcome: 'added',
        name: 'a',
        clientId: null,
        enabled: false,
        taken: ['serviceId', 'name', 'id'],
        withoutEffect: [{ member: 'theme', reason: 'has no effect: it is for pages and people' }],
        notUnderstood: [
          {
            member: 'requiredHandlers',
            reason: 'tells handlers of logins apart, which is not done here',
          },
        ],
      },
    ],
  });
  expect(await suite.store.list()).toMatchObject([{ enabled: false }]);
});

test('the definitions that come with the program are understood to the last member', async () => {
  const shipped = fileURLToPath(new URL('../../../../apps/sso/services', import.meta.url));
  const { files, complete } = await importServiceFiles(suite.store, shipped);
  expect(complete).toBe(true);
  const understood = { outcome: 'added', enabled: true, withoutEffect: [] };
  expect(files).toMatchObject([
    // What its pattern is taken as is a note.
    { file: 'board-10000004.json', outcome: 'added', enabled: true, notUnderstood: [] },
    { file: 'calendar-10000003.json', ...understood },
    { file: 'localhost-10000001.json', ...understood },
    { file: 'wiki-10000002.json', ...understood },
  ]);
  const services = await ServiceSnapshot.of(await suite.store.list());
  // The login page tells the applications of the demo by their names.
  expect(
    ['9000', '9001', '3000'].map(
      (port) => services.match(`http://localhost:${port}/sign-in`)?.name,
    ),
  ).toEqual(['Wiki', 'Calendar', 'Applications of this machine']);
});
