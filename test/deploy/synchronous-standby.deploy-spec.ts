// A node while a synchronous standby does not confirm commits, and after a failover.
import { dirname } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { databaseTimeouts } from '@tessera/database';
import { createEmptyDatabase } from '../support/database.js';
import { makeFolder, removeFolder } from '../support/folders.js';
import { http } from '../support/http.js';
import { hasPostgresql, POSTGRESQL } from '../support/postgres-server.js';
import { query } from '../support/query.js';
import { ReplicatedPostgres } from '../support/replicated-postgres.js';
import { APP, prepareDatabase, startNode, type SsoNode } from '../support/sso-node.js';
import { until } from '../support/until.js';
import { blocksBelow, runCommands } from './document-code.js';

if (!hasPostgresql) {
  process.stderr.write(`left out: the tests of a standby, there is no ${POSTGRESQL}\n`);
}
const describeIfInstalled = hasPostgresql ? describe : describe.skip;
databaseTimeouts.connect = 5_000;

/** Connections of a process for logins and logouts. */
const DURABLE_CONNECTIONS = 4;
const [BACKUP = ''] = blocksBelow('docs/backup.md', '## Backup', 'sh');
const [, RESTORE = ''] = blocksBelow('docs/backup.md', '## Restore', 'sh');
const USER = { username: 'casuser', password: 'Mellon' };

describeIfInstalled('a node with a synchronous standby', () => {
  let servers: ReplicatedPostgres;
  let node: SsoNode;
  let base: string;

  beforeEach(async () => {
    servers = await ReplicatedPostgres.start();
    await query(servers.primary.url(), 'create database sso');
    await prepareDatabase(servers.url('sso'));
    node = await startNode(servers.url('sso'));
    base = `http://localhost:${node.port}/cas`;
  });
  afterEach(async () => {
    servers?.standby.resume();
    await node?.program.stop();
    await servers?.stop();
  });

  const login = () => http('POST', base, '/v1/tickets', { form: USER });
  /** @returns the path of a new TGT */
  const newSession = async (): Promise<string> => {
    const { status, headers } = await login();
    expect(status).toBe(201);
    return String(headers.location).replace(/^.*\/v1/, '/v1');
  };
  /** The statuses of a grant and of two validations of its ticket. */
  const useTicket = async (session: string): Promise<readonly number[]> => {
    const grant = await http('POST', base, session, { form: { service: APP } });
    const path = `/validate?service=${encodeURIComponent(APP)}&ticket=${grant.body}`;
    const bodies = [await http('GET', base, path), await http('GET', base, path)];
    expect(bodies.map(({ body }) => body)).toEqual(['yes\ncasuser\n', 'no\n\n']);
    return [grant.status, ...bodies.map(({ status }) => status)];
  };
  const stalledCommits = async (): Promise<unknown> => {
    const waiting = `select count(*)::integer as stalled from pg_stat_activity where wait_event = 'SyncRep'`;
    const [row] = await query(servers.primary.url('sso'), waiting);
    return (row as { readonly stalled: number }).stalled;
  };

  test('that hangs grants and validates tickets, refuses logins and logouts, and leaves few commits waiting', async () => {
    const session = await newSession();
    servers.standby.pause();
    const refused = await Promise.all(Array.from({ length: 20 }, login));
    expect(refused.map(({ status }) => status)).toEqual(Array(20).fill(503));
    expect((await http('DELETE', base, session)).status).toBe(503);

    for (let each = 0; each < 5; each += 1) {
      expect(await useTicket(session)).toEqual([200, 200, 400]);
    }
    expect((await http('GET', base, '/health/ready')).status).toBe(200);
    const stalled = await stalledCommits();
    expect(stalled).toBeGreaterThan(0);
    expect(stalled).toBeLessThanOrEqual(DURABLE_CONNECTIONS);

    servers.standby.resume();
    await until('logins work again', async () => (await login()).status === 201);
    expect(await stalledCommits()).toBe(0);
    expect((await http('DELETE', base, session)).status).toBe(200);
  });

  test('that hangs: a logout that was not answered is not said to be done after a crash either', async () => {
    const session = await newSession();
    servers.standby.pause();
    expect((await http('DELETE', base, session)).status).toBe(503);
    await servers.primary.kill();
    await servers.primary.start();
    await until(
      'the end of the session is visible',
      async () => (await http('GET', base, session)).status === 404,
    );
    for (let each = 0; each < 5; each += 1) {
      expect((await http('DELETE', base, session)).status).toBe(503);
    }
    servers.standby.resume();
    await until(
      'the logout is answered',
      async () => (await http('DELETE', base, session)).status === 200,
    );
  });

  test('that is backed up is restored on a new server after the loss of both', async () => {
    const session = await newSession();
    const grant = await http('POST', base, session, { form: { service: APP } });
    await servers.untilReplayed();
    const env = { PATH: `${dirname(POSTGRESQL)}:${process.env['PATH']}` };
    const folder = await makeFolder();
    runCommands(BACKUP, folder, { ...env, DATABASE_URL: servers.standby.url('sso') });
    await Promise.all([servers.primary.stop(), servers.standby.stop()]);
    await node.program.stop();

    const restored = await createEmptyDatabase();
    runCommands(RESTORE, folder, { ...env, DATABASE_URL: restored.url });
    node = await startNode(restored.url);
    base = `http://localhost:${node.port}/cas`;
    const unused = `/validate?service=${encodeURIComponent(APP)}&ticket=${grant.body}`;
    expect((await http('GET', base, unused)).body).toBe('no\n\n');
    expect(await useTicket(session)).toEqual([200, 200, 400]);
    await node.program.stop();
    await restored.drop();
    await removeFolder(folder);
  });

  test('that takes over has all sessions, but not those that have ended', async () => {
    const [kept, ended] = [await newSession(), await newSession()];
    expect((await http('DELETE', base, ended)).status).toBe(200);
    await servers.primary.stop();
    await servers.standby.promote();
    await until(
      'the new primary answers',
      async () => (await http('GET', base, kept)).status === 200,
    );
    expect((await http('GET', base, ended)).status).toBe(404);
    expect(await useTicket(kept)).toEqual([200, 200, 400]);
    await newSession();
  });
});
