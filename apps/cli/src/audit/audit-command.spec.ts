import { randomUUID } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { AuditSearch, type AuditRecord } from '@tessera/audit';
import { envelopeRingKey, KeyRing, newKeyFile, readKeyFile } from '@tessera/crypto';
import { clearAuditTrail, storeAuditRecords } from '../../../../test/support/audit-records.js';
import { runTessera, TERMINAL_CONTROLS } from '../../../../test/support/command-line.js';
import { createTestDatabase, type TestDatabase } from '../../../../test/support/database.js';
import { makeFolder, removeFolder } from '../../../../test/support/folders.js';

const RECORD = {
  action: 'LOGIN',
  outcome: 'failure',
  reason: 'CREDENTIALS_REFUSED',
  principal: 'ann',
  subject: null,
  service: null,
  session: null,
  clientAddress: '192.0.2.1',
  requestId: 'r1',
  application: 'sso',
  node: 'n1',
  details: { handler: 'static' },
} as const;

let directory: string;
let database: TestDatabase;
let search: AuditSearch;

beforeAll(async () => {
  directory = await makeFolder();
  database = await createTestDatabase();
  search = new AuditSearch((text, values) => database.dataSource.query(text, values));
});
afterAll(async () => {
  await database.drop();
  await removeFolder(directory);
});
beforeEach(() => clearAuditTrail(database.dataSource));

const store = (records: readonly AuditRecord[]) => storeAuditRecords(database.dataSource, records);

const tessera = (...args: readonly string[]) =>
  runTessera([...args, `--database.url=${database.url}`]);
/** A key file, and a text that it encrypted. */
async function otherKey(folder: string): Promise<{ key: string; cipher: string }> {
  const key = join(folder, `${randomUUID()}.key`);
  await writeFile(key, newKeyFile('old'), { mode: 0o600 });
  const file = await readKeyFile(key);
  if (file.kind !== 'envelope') throw new Error('it is no AES key');
  const ring = new KeyRing([envelopeRingKey(file.key)]);
  return { key, cipher: await ring.encrypt(Buffer.from('secret')) };
}
const secondsAgo = (seconds: number): Date => new Date(Date.now() - seconds * 1_000);

describe('audit', () => {
  test('shows events in one line each, the newest last', async () => {
    const occurredAt = new Date('2026-11-24T08:00:00.123Z');
    await store([
      { ...RECORD, occurredAt: new Date('2026-11-24T09:00:00Z'), principal: null, reason: null },
      { ...RECORD, occurredAt, service: 'https://a/b', subject: '7' },
    ]);
    expect((await tessera('audit')).stdout).toBe(
      '2026-11-24T08:00:00.123Z LOGIN failure by ann of 7 for https://a/b from 192.0.2.1 (CREDENTIALS_REFUSED) on sso/n1 {"handler":"static"}\n' +
        '2026-11-24T09:00:00.000Z LOGIN failure from 192.0.2.1 on sso/n1 {"handler":"static"}\n',
    );
  });

  test('shows a JSON object a line, without what is not known', async () => {
    await store([{ ...RECORD, occurredAt: new Date('2026-11-24T08:00:00Z') }]);
    const { stdout } = await tessera('audit', '--json');
    const { subject: _1, service: _2, session: _3, ...known } = RECORD;
    expect(JSON.parse(stdout)).toEqual({
      ...known,
      id: expect.stringMatching(/^\d+$/),
      occurredAt: '2026-11-24T08:00:00.000Z',
    });
  });

  test('escapes what a terminal would interpret', async () => {
    const principal = 'ann\u001b[2J\u202e\nLOGIN success by bob';
    await store([{ ...RECORD, occurredAt: new Date(), principal }]);
    for (const args of [['audit'], ['audit', '--json']]) {
      const { stdout } = await tessera(...args);
      expect(stdout).not.toMatch(TERMINAL_CONTROLS);
      expect(stdout.match(/\n/g)).toHaveLength(1);
    }
  });

  test.each<[readonly string[], readonly string[]]>([
    [['--user', 'bob'], ['bob']],
    [
      ['--since', '2h'],
      ['ann', 'bob'],
    ],
    [
      ['--until', '30m'],
      ['old', 'ann'],
    ],
    [['--limit', '1'], ['bob']],
    [
      ['--since', '99999999d'],
      ['old', 'ann', 'bob'],
    ],
    [['--outcome', 'success'], []],
    [
      ['--action', 'LOGIN', '--outcome', 'failure'],
      ['old', 'ann', 'bob'],
    ],
    [['--until', '2000-01-01'], []],
  ])('%j selects events', async (options, names) => {
    await store([
      { ...RECORD, occurredAt: secondsAgo(86_400), principal: 'old' },
      { ...RECORD, occurredAt: secondsAgo(3_600) },
      { ...RECORD, occurredAt: secondsAgo(1), principal: 'bob' },
    ]);
    const { stdout } = await tessera('audit', ...options, '--json');
    const found = stdout.split('\n').filter(Boolean);
    expect(found.map((line) => (JSON.parse(line) as typeof RECORD).principal)).toEqual(names);
  });

  test('shows more than a page', async () => {
    const record = { ...RECORD, outcome: 'success', reason: null } as const;
    await store(Array.from({ length: 2_100 }, () => ({ ...record, occurredAt: new Date() })));
    const { stdout } = await tessera('audit', '--limit', '2050');
    expect(stdout.match(/\n/g)).toHaveLength(2_050);
  });

  test.each<[readonly string[], RegExp]>([
    [
      ['--since', 'yesterday'],
      /^tessera: --since must be a time such as .*, or an age such as 2h\n$/,
    ],
    [['--until', '2026-02-31T25:00:00Z'], /^tessera: --until must be a time/],
    [['--since', '2026-02-30'], /^tessera: --since must be a time/],
    [['--since', '1h', '--until', '2h'], /^tessera: --since must be before --until\n$/],
    [
      ['--until', '1h', '--follow'],
      /^tessera: --follow goes on without an end: leave out --until\n$/,
    ],
    [['--limit', '0'], /^tessera: --limit must be 1 to 100000\n$/],
    [['--action', 'x'], /Allowed choices are LOGIN, /],
    [['--outcome', 'x'], /Allowed choices are success, failure, unknown/],
  ])('%j is refused', async (options, message) => {
    expect(await tessera('audit', ...options)).toMatchObject({
      exitCode: 1,
      stdout: '',
      stderr: expect.stringMatching(message),
    });
  });
});

describe('changes by commands', () => {
  const changes = async () =>
    (await search.find({}, 10)).toReversed().map(({ action, principal, subject, details }) => {
      expect(principal).toBe(userInfo().username);
      return [action, subject, details];
    });

  test('of users are recorded, without passwords', async () => {
    await database.dataSource.query('delete from user_account');
    const add = [
      'user',
      'add',
      'ann',
      '--attribute',
      'mail=a@x',
      '--expires',
      '2030-01-01',
      '--password-stdin',
    ];
    await runTessera([...add, `--database.url=${database.url}`], 'secret-1\n');
    await tessera('user', 'disable', 'ann');
    await tessera('user', 'set', 'ann', '--attribute', 'mail=b@x');
    await tessera('user', 'remove', 'ann');
    await tessera('user', 'remove', 'ann');
    expect(await changes()).toEqual([
      [
        'ADD_USER',
        'ann',
        { attributes: { mail: ['a@x'] }, expiresAt: expect.stringMatching(/^20(29|30)-.*Z$/) },
      ],
      ['CHANGE_USER', 'ann', { disabled: true }],
      ['CHANGE_USER', 'ann', { attributes: { mail: ['b@x'] } }],
      ['REMOVE_USER', 'ann', null],
    ]);
    expect(JSON.stringify(await search.find({}, 10))).not.toMatch(/secret-1|argon2/);
  });

  test('of services are recorded, unless nothing changes', async () => {
    const { stdout } = await tessera('service', 'add', '^https://a/.*', '--name', 'a');
    const id = stdout.trim();
    await tessera('service', 'update', id, '--name', 'b');
    await tessera('service', 'update', id, '--name', 'b');
    await tessera('service', 'update', id, '--name', '');
    await tessera('service', 'disable', id);
    await tessera('service', 'remove', id);
    expect(await changes()).toEqual([
      ['REGISTER_SERVICE', id, { serviceId: '^https://a/.*', name: 'a', enabled: true }],
      ['CHANGE_SERVICE', id, { name: 'b' }],
      ['CHANGE_SERVICE', id, { enabled: false }],
      ['REMOVE_SERVICE', id, null],
    ]);
  });

  test('of keys are recorded where something was written, without values', async () => {
    const [folder, keyFile] = [join(directory, 'repo'), join(directory, 'new.key')];
    await mkdir(folder);
    await writeFile(keyFile, newKeyFile('new'), { mode: 0o600 });
    const { key, cipher } = await otherKey(directory);
    await writeFile(join(folder, 'a.properties'), `password={cipher}${cipher}\nother=1\n`);
    const rotate = ['rotate', folder, '--key-file', keyFile, '--key-file', key];
    await tessera(...rotate, '--dry-run');
    expect(await changes()).toEqual([]);
    expect(await tessera(...rotate)).toMatchObject({ exitCode: 0, stderr: '' });
    await tessera(...rotate);
    expect(await changes()).toEqual([
      [
        'ROTATE_KEYS',
        null,
        { paths: [folder], key: 'new', files: 1, values: 1, failedFiles: 0, failedValues: 0 },
      ],
    ]);
  });

  test('of keys are recorded where they fail, with the reason', async () => {
    const [file, keyFile] = [join(directory, 'c.properties'), join(directory, 'newest.key')];
    await writeFile(keyFile, newKeyFile('newest'), { mode: 0o600 });
    const { cipher } = await otherKey(directory);
    await writeFile(file, `password={cipher}${cipher}\n`);
    const { exitCode } = await tessera('rotate', file, '--key-file', keyFile);
    expect(exitCode).toBe(3);
    const details = { files: 0, values: 0, failedFiles: 0, failedValues: 1 };
    expect(await changes()).toEqual([
      ['ROTATE_KEYS', null, { paths: [file], key: 'newest', ...details }],
    ]);
    expect(await search.find({ outcome: 'failure' }, 10)).toMatchObject([
      { action: 'ROTATE_KEYS', reason: 'TEXT_UNDECRYPTABLE' },
    ]);
  });

  test('of keys stay where they cannot be recorded, with a warning', async () => {
    const keyFile = join(directory, 'newer.key');
    await writeFile(keyFile, newKeyFile('newer'), { mode: 0o600 });
    const { key, cipher } = await otherKey(directory);
    const file = join(directory, 'b.properties');
    await writeFile(file, `password={cipher}${cipher}\n`);
    const rotate = ['rotate', file, '--key-file', keyFile, '--key-file', key];
    expect(await runTessera([...rotate, '--database.url=http://nonsense'])).toMatchObject({
      exitCode: 0,
      stderr: expect.stringMatching(/^tessera: the rotation is not in the audit trail: /),
    });
    expect(await readFile(file, 'utf8')).toMatch(/^password=\{cipher\}v1\.newer\./);
  });

  test('are not recorded where the audit trail is switched off', async () => {
    await tessera('service', 'add', '^https://c/.*', '--name', 'c', '--audit.enabled=false');
    expect(await changes()).toEqual([]);
  });

  test('are not made where they cannot be recorded', async () => {
    await database.dataSource.query('alter table audit_event add constraint closed check (false)');
    try {
      const { exitCode } = await tessera('service', 'add', '^https://d/.*', '--name', 'd');
      expect(exitCode).toBe(1);
      expect((await tessera('service', 'list')).stdout).not.toContain('https://d/');
    } finally {
      await database.dataSource.query('alter table audit_event drop constraint closed');
    }
  });
});
