// The oldest PostgreSQL that Tessera supports, made ready by the statements of the documents.
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { makeFolder, removeFolder } from '../support/folders.js';
import { http } from '../support/http.js';
import {
  giveToPostgres,
  hasPostgresql,
  POSTGRESQL,
  PostgresServer,
} from '../support/postgres-server.js';
import { endPrograms, Program } from '../support/process.js';
import { query } from '../support/query.js';
import { startNode } from '../support/sso-node.js';
import { until } from '../support/until.js';
import { blocksBelow } from './document-code.js';

const SERVICE = 'https://app.example.org/';
const [FIRST = '', RIGHTS = ''] = blocksBelow(
  'docs/operations.md',
  '### The first database',
  'sql',
);

if (!hasPostgresql) {
  process.stderr.write(`left out: the tests of PostgreSQL 15, there is no ${POSTGRESQL}\n`);
}
const describeIfInstalled = hasPostgresql ? describe : describe.skip;

describeIfInstalled('PostgreSQL 15', () => {
  let server: PostgresServer;
  let folder: string;

  beforeAll(async () => {
    folder = await makeFolder();
    await giveToPostgres(folder);
    server = await PostgresServer.create({ data: join(folder, 'data'), settings: ['fsync=off'] });
    await server.initialise();
    await server.start();
    // `\password` is a command of psql.
    for (const statement of FIRST.replace(/^\\.*$/m, '').split(';')) {
      await query(url('postgres'), statement);
    }
  });
  afterAll(async () => {
    await endPrograms();
    await server?.stop();
    await removeFolder(folder);
  });

  function url(role: string, database = role): string {
    return server.url(database).replace('postgres@', `${role}@`);
  }

  test('has version 15', async () => {
    const [row] = await query(url('postgres'), 'show server_version_num');
    expect(row).toEqual({ server_version_num: expect.stringMatching(/^15/) });
  });

  test('serves logins, tickets, users, sessions and logout to the owner of the database', async () => {
    await expectToServe(url('tessera'));
  });

  test('serves a role with the rights that the documents name', async () => {
    await query(url('postgres'), 'create role other login');
    await query(url('postgres'), 'create database other');
    const granted = RIGHTS.replaceAll('tessera', 'other').split(';');
    for (const statement of granted) await query(url('postgres', 'other'), statement);
    await expectToServe(url('other'));
  });

  test('is refused with the statement that grants what the role lacks', async () => {
    await query(url('postgres'), 'create database bare');
    const program = Program.start('cli', [
      'user',
      'list',
      `--database.url=${url('tessera', 'bare')}`,
    ]);
    expect(await program.ended).toMatchObject({ code: 1 });
    expect(program.stderr).toMatch(
      /permission denied for schema public\. .*"grant usage, create on schema public to …"/,
    );
  });

  async function expectToServe(databaseUrl: string): Promise<void> {
    const args = [`--database.url=${databaseUrl}`];
    const node = await startNode(databaseUrl);
    const commands = [
      ['user', 'add', 'alice', '--attribute', 'mail=a@example.org', '--password-stdin', ...args],
      [
        'service',
        'add',
        '^https://app\\.example\\.org/.*',
        '--name',
        'App',
        '--release-all',
        ...args,
      ],
    ];
    for (const command of commands) {
      const program = Program.start('cli', command, { input: 'Mellon-12345\n' });
      expect([await program.ended, program.stderr]).toMatchObject([{ code: 0 }, '']);
    }
    const base = `http://localhost:${node.port}/cas`;
    const form = { username: 'alice', password: 'Mellon-12345' };
    const login = await http('POST', base, '/v1/tickets', { form });
    expect(login.status).toBe(201);
    const session = String(login.headers.location).replace(/^.*\/v1/, '/v1');
    const { ticket } = await until('the service is known', async () => {
      const { status, body } = await http('POST', base, session, { form: { service: SERVICE } });
      return status === 200 && { ticket: body };
    });
    const validation = `/p3/serviceValidate?service=${encodeURIComponent(SERVICE)}&ticket=${ticket}`;
    const statuses = [];
    for (const [method, path] of [
      ['GET', validation],
      ['GET', validation],
      ['DELETE', session],
      ['GET', session],
      ['GET', '/health/ready'],
    ] as const) {
      statuses.push((await http(method, base, path)).status);
    }
    // Once, and no second time.
    expect(statuses).toEqual([200, 400, 200, 404, 200]);
    await node.program.stop();
  }
});
