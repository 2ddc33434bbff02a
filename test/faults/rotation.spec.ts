// The password of the database is rotated in Vault while a node is under load: new sessions use the new password, old
// sessions end, and no request fails but for want of a new connection.
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { UserAccount } from '@tessera/accounts';
import { RegisteredServiceEntity } from '@tessera/services';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { DatabaseRole, type Session } from '../support/database-role.js';
import { endPrograms } from '../support/process.js';
import { registerApp, startNode, type SsoNode } from '../support/sso-node.js';
import { until } from '../support/until.js';
import { describeWithVault, Vault } from '../support/vault.js';
import { Load } from './load.js';

const ENOUGH = 30;
const CONNECTIONS = 4;
const WORKERS = 2;
/** The workers and the primary process. */
const PROCESSES = WORKERS + 1;

let database: TestDatabase;
let role: DatabaseRole;
let other: DatabaseRole;
let vault: Vault;
let node: SsoNode;
let load: Load;
/** While Vault has the former password: a request that needs another connection then is answered 503. */
let outdated: { from: number; to: number } | undefined;

const storeDatabaseUrl = (url: string) => vault.put('sso', { 'database.url': url });

async function untilLoadGoesOn(): Promise<void> {
  const now = performance.now();
  await until('the load continues', () => load.since(now).length >= ENOUGH);
}

/** Waits for a new log line during `work`. */
async function untilLogged(line: string, work: () => Promise<unknown>): Promise<void> {
  const before = node.program.stdout.length;
  await work();
  await until(`log line ${line}`, () => node.program.stdout.includes(line, before));
}

/** Whether it is a LISTEN session for changed services, which is not in the pool. */
const isListening = ({ statement }: Session): boolean => statement.startsWith('listen ');

/** Waits until the sessions that began before a moment have ended, with the application that opened them. */
async function untilSessionsAreNew(before: number): Promise<void> {
  await until('the old sessions end', async () =>
    (await role.sessions()).every(({ began }) => began >= before),
  );
}

async function untilListening(as: DatabaseRole): Promise<void> {
  await until('every process listens for changed services', async () => {
    return (await as.sessions()).filter(isListening).length === PROCESSES;
  });
}

describeWithVault('a node under load', () => {
  beforeAll(async () => {
    database = await createTestDatabase({ entities: [RegisteredServiceEntity, UserAccount] });
    await registerApp(database.dataSource);
    role = await DatabaseRole.create(database.url);
    other = await DatabaseRole.create(database.url);
    vault = await Vault.start();
    await storeDatabaseUrl(role.url());
    const settings = [`--sso.workers=${WORKERS}`, '--settings.reload.remote-interval=1s'];
    const env = { VAULT_URI: vault.url, VAULT_TOKEN: Vault.rootToken };
    node = await startNode(undefined, [...settings, '--logging.level.settings=info'], env);
  });
  afterAll(async () => {
    await endPrograms();
    await vault.stop();
    await Promise.all([role.drop(), other.drop()]);
    await database.drop();
  });
  beforeEach(async () => {
    outdated = undefined;
    load = new Load({ ports: [() => node.port], connectionsPerNode: CONNECTIONS });
    await untilLoadGoesOn();
  });
  afterEach(async () => {
    await load.stop();
    const { from = Infinity, to = -Infinity } = outdated ?? {};
    const failed = load.answers.filter(
      ({ status, at }) => status >= 500 && !(status === 503 && from < at && at < to),
    );
    const { unexpectedAnswers, unanswered, replayed } = load;
    expect({ failed, unexpectedAnswers, unanswered, replayed }).toEqual({
      failed: [],
      unexpectedAnswers: [],
      unanswered: [],
      replayed: [],
    });
    expect([...load.tickets.values()]).toContain(1);
  });

  test('stays with its sessions while Vault has a wrong password, and says so without it', async () => {
    const problem = '"problems":["The database refuses user or password';
    await untilLogged(problem, () => storeDatabaseUrl(role.url('wrong-secret')));
    await untilLoadGoesOn();
    await storeDatabaseUrl(role.url());
    expect(node.program.stdout).not.toContain('wrong-secret');
  });

  test('goes over to another password, first changed in PostgreSQL, then in Vault', async () => {
    const rotated = Date.now();
    outdated = { from: performance.now(), to: Infinity };
    await role.changePassword();
    await untilLoadGoesOn();
    await untilLogged('"changed":["database.url"]', () => storeDatabaseUrl(role.url()));
    await untilSessionsAreNew(rotated);
    await untilListening(role);
    outdated.to = performance.now();
    await untilLoadGoesOn();
    expect((await role.sessions()).length).toBeGreaterThan(WORKERS);
  });

  test('goes over to another user', async () => {
    await untilLogged('"changed":["database.url"]', () => storeDatabaseUrl(other.url()));
    await untilSessionsAreNew(Infinity);
    await untilListening(other);
    await untilLoadGoesOn();
    expect(await role.sessions()).toEqual([]);
  });
});
