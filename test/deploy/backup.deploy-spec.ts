// The commands of docs/backup.md, run as they are written: a backup of a server, restored on another.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type EmbeddedPostgres, openEmbeddedPostgres } from '@tessera/embedded-postgres';
import { RegisteredServiceEntity, ServiceStore } from '@tessera/services';
import {
  type ClientPackage,
  INSTALL_TIMEOUT_MS,
  installByPip,
  installClient,
  isSkipped,
  PYTHON_TOOLS,
} from '../clients/installation.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { makeFolder, removeFolder } from '../support/folders.js';
import { http } from '../support/http.js';
import { answer, LogoutReceiver, sessionIndexIn } from '../support/logout-receiver.js';
import { endPrograms, Program } from '../support/process.js';
import { query } from '../support/query.js';
import { type SsoNode, startNode } from '../support/sso-node.js';
import { until } from '../support/until.js';
import { blocksBelow, runCommands } from './document-code.js';

const POSTGRESQL: ClientPackage = {
  name: 'postgresql-programs',
  tools: PYTHON_TOOLS,
  manifest: join(import.meta.dirname, 'postgresql-programs.txt'),
  install: installByPip,
};

const PAGE = 'docs/backup.md';
const [BACKUP = ''] = blocksBelow(PAGE, '## Backup', 'sh');
const [CREATE = '', RESTORE = '', END_SESSIONS = '', CHECK = ''] = blocksBelow(
  PAGE,
  '## Restore',
  'sh',
);
const [FORGET = ''] = blocksBelow(PAGE, '### Logout messages', 'sh');

const PASSWORD = 'Mellon-12345';
const TABLES = [
  'user_account',
  'registered_service',
  'audit_event',
  'properties',
  'schema_migration',
  'login_key',
];

/** A session, with a ticket that the application has validated. */
interface Session {
  readonly tgt: string;
  readonly ticket: string;
}

const describeIfInstalled = isSkipped(POSTGRESQL) ? describe.skip : describe;

describeIfInstalled('a backup and its restore', () => {
  let programs: string;
  let folder: string;
  let receiver: LogoutReceiver;
  let old: TestDatabase;
  let newServer: EmbeddedPostgres;
  let newUrl: string;
  let node: SsoNode;
  let kept: Session;
  let ended: Session;
  let unused: string;
  let lateBefore: number;

  beforeAll(async () => {
    programs = await installClient(POSTGRESQL);
    folder = await makeFolder();
    receiver = await LogoutReceiver.start();
    old = await createTestDatabase({ entities: [RegisteredServiceEntity] });
    await ServiceStore.of(old.dataSource).add({
      serviceId: '^http://127\\.0\\.0\\.1:\\d+/.*',
      name: 'application',
      logoutType: 'back',
    });
    await query(old.url, "insert into properties values ('orders', '', 'main', 'a', 'b')");
    await addUser(old.url);
    node = await startNode(old.url);
    kept = await signIn('/kept');
    ended = await signIn('/ended');
    unused = await grant(kept.tgt, '/unused');
    receiver.behave('/late', answer(500));
    await http('DELETE', url(), `/v1/tickets/${(await signIn('/late')).tgt}`);
    await until('a message could not be delivered', () => told('/late').length > 0);
    await until('events are stored', async () => {
      return (await query(old.url, 'select from audit_event')).length > 0;
    });
    run(BACKUP, old.url);
    expect((await http('DELETE', url(), `/v1/tickets/${ended.tgt}`)).status).toBe(200);
    await until('the application is told of the logout', () => told('/ended').length === 1);
    await node.program.stop();
    receiver.behave('/late', answer(200));
    lateBefore = told('/late').length;
    ({ newServer, newUrl } = await newMachine());
    run(RESTORE, newUrl);
  }, INSTALL_TIMEOUT_MS);
  afterAll(async () => {
    await endPrograms();
    await receiver?.stop();
    await old?.drop();
    await newServer?.stop();
    if (folder !== undefined) await removeFolder(folder);
  });

  test.each(TABLES)('the table %s is that of the backup', async (table) => {
    const rows = `select to_jsonb(t) as row from ${table} t order by 1`;
    const restored = await query(newUrl, rows);
    expect(restored.length).toBeGreaterThan(0);
    expect(await query(old.url, rows)).toEqual(expect.arrayContaining([...restored]));
  });

  test('without more, a session that ended after the backup is open again', async () => {
    await startOnNewMachine();
    expect((await http('GET', url(), `/v1/tickets/${ended.tgt}`)).status).toBe(200);
    expect((await http('GET', url(), `/v1/tickets/${kept.tgt}`)).status).toBe(200);
    await node.program.stop();
  });

  test('after the commands, no session is open, and the applications are told', async () => {
    run(END_SESSIONS, newUrl);
    await startOnNewMachine();
    run(CHECK, newUrl);
    for (const { tgt } of [kept, ended]) {
      expect((await http('GET', url(), `/v1/tickets/${tgt}`)).status).toBe(404);
    }
    await until(
      'the application is told of both',
      () => told('/kept').length === 1 && told('/ended').length === 2,
    );
    expect(told('/kept')).toEqual([kept.ticket]);
    expect(told('/ended')).toEqual([ended.ticket, ended.ticket]);
  });

  test('a message that was waiting is sent again', async () => {
    await until('the application gets it', () => told('/late').length === lateBefore + 1);
  });

  test('tickets of before are gone, and users log in and get new ones', async () => {
    expect(await validate('/unused', unused)).toContain('INVALID_TICKET');
    const { ticket } = await signIn('/again');
    expect(await validate('/again', ticket)).toContain('INVALID_TICKET');
    expect(await query(newUrl, 'select from ticket_granting_ticket')).toHaveLength(1);
  });

  test('a copy for tests has no session and no message', async () => {
    await node.program.stop();
    run(FORGET, newUrl);
    for (const table of ['ticket_granting_ticket', 'session_service', 'logout_message']) {
      expect(await query(newUrl, `select from ${table}`)).toEqual([]);
    }
    const before = receiver.received.length;
    await startOnNewMachine();
    expect((await http('GET', url(), '/health/ready')).status).toBe(200);
    expect(receiver.received).toHaveLength(before);
  });

  function url(): string {
    return `http://127.0.0.1:${node.port}/cas`;
  }

  /** The tickets that the messages to this path name. */
  function told(path: string): readonly (string | undefined)[] {
    return receiver.messagesTo(path).map(sessionIndexIn);
  }

  async function startOnNewMachine(): Promise<void> {
    node = await startNode(newUrl);
  }

  async function post(path: string, form: Readonly<Record<string, string>>): Promise<string> {
    const { body } = await http('POST', url(), path, { headers: { accept: 'text/plain' }, form });
    return body;
  }

  async function grant(tgt: string, path: string): Promise<string> {
    return post(`/v1/tickets/${tgt}`, { service: receiver.url + path });
  }

  async function validate(path: string, ticket: string): Promise<string> {
    const parameters = new URLSearchParams({ service: receiver.url + path, ticket });
    return (await http('GET', url(), `/serviceValidate?${parameters}`)).body;
  }

  async function signIn(path: string): Promise<Session> {
    const tgt = await post('/v1/tickets', { username: 'alice', password: PASSWORD });
    const ticket = await grant(tgt, path);
    expect(await validate(path, ticket)).toContain('<cas:user>alice</cas:user>');
    return { tgt, ticket };
  }

  /** A server with the role and the empty database of the page. */
  async function newMachine(): Promise<{ newServer: EmbeddedPostgres; newUrl: string }> {
    const directory = join(folder, 'new-machine');
    const server = await openEmbeddedPostgres({ directory, durable: false });
    const rules = join(directory, 'pg_hba.conf');
    await writeFile(rules, `local all tessera scram-sha-256\n${await readFile(rules, 'utf8')}`);
    const adminUrl = server.url.replace('/tessera?', '/postgres?');
    await query(adminUrl, 'select pg_reload_conf()');
    await query(adminUrl, 'drop database tessera');
    run(CREATE, adminUrl);
    const [, password = ''] = /password '([^']+)'/.exec(CREATE) ?? [];
    return { newServer: server, newUrl: server.url.replace('postgres@', `tessera:${password}@`) };
  }

  function run(commands: string, databaseUrl: string): void {
    runCommands(commands, folder, {
      PATH: `${programs}/embedded_postgres/pginstall/bin:${process.env['PATH']}`,
      DATABASE_URL: databaseUrl,
      ADMIN_URL: databaseUrl,
      BASE_URL: url(),
    });
  }
});

async function addUser(databaseUrl: string): Promise<void> {
  const args = ['user', 'add', 'alice', '--password-stdin', `--database.url=${databaseUrl}`];
  const program = Program.start('cli', args, { input: `${PASSWORD}\n` });
  expect(await program.ended).toMatchObject({ code: 0 });
}
