// A data source on a PostgreSQL with a standby: which server it uses, and what a failover does to it.
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { DataSource } from 'typeorm';
import {
  Announcements,
  codeOf,
  connect,
  databaseTimeouts,
  isUnavailable,
  migrate,
  type MigrationClass,
  poolOf,
} from '@tessera/database';
import { migration } from '../support/migrations.js';
import { hasPostgresql, POSTGRESQL } from '../support/postgres-server.js';
import { query } from '../support/query.js';
import { ReplicatedPostgres } from '../support/replicated-postgres.js';
import { until } from '../support/until.js';

if (!hasPostgresql) {
  process.stderr.write(`left out: the tests of a standby, there is no ${POSTGRESQL}\n`);
}
// A busy machine is no unavailable database. A standby is tried again for half of the time.
Object.assign(databaseTimeouts, { connect: 5_000, statement: 10_000, serverStatement: 10_000 });
const describeIfInstalled = hasPostgresql ? describe : describe.skip;

describeIfInstalled('a PostgreSQL with a standby', () => {
  let servers: ReplicatedPostgres;
  let dataSource: DataSource;

  beforeEach(async () => {
    servers = await ReplicatedPostgres.start();
    await query(servers.primary.url(), 'create database sso');
    dataSource = await connect({ url: servers.url('sso'), applicationName: 'spec', poolSize: 2 });
    await migrate(dataSource);
    await servers.untilReplayed();
  });
  afterEach(async () => {
    await dataSource?.destroy();
    await servers?.stop();
  });

  const portInUse = async (): Promise<unknown> => {
    const { rows } = await poolOf(dataSource).query('select inet_server_port() as port');
    return rows[0].port;
  };

  test('is used at the server that can write, whatever the order of the hosts', async () => {
    const { primary, standby } = servers;
    const hosts = [`127.0.0.1:${standby.port}`, `127.0.0.1:${primary.port}`].join(',');
    const url = `postgresql://postgres@${hosts}/sso?sslmode=disable&target_session_attrs=read-write`;
    const other = await connect({ url, applicationName: 'spec' });
    const { rows } = await poolOf(other).query('select inet_server_port() as port');
    await other.destroy();
    expect(rows).toEqual([{ port: primary.port }]);
  });

  test('is not available where the URL names the standby alone', async () => {
    const url = servers.standby.url('sso');
    await expect(connect({ url, applicationName: 'spec', retryForMs: 0 })).rejects.toMatchObject({
      code: 'DATABASE_UNAVAILABLE',
      cause: { code: '25006' },
    });
  });

  test('a standby that is being promoted is waited for', async () => {
    const { primary, standby } = servers;
    await primary.stop();
    const using = until('a statement works', () => portInUse().catch(() => undefined));
    await standby.promote();
    expect(await using).toBe(standby.port);
  });

  test('after a failover new connections go to the new primary, and kept ones of the old one are dropped', async () => {
    const { primary, standby } = servers;
    const kept = await poolOf(dataSource).connect();
    // The old primary goes on without knowing of the new one.
    await standby.promote();
    const other = await poolOf(dataSource).connect();
    other.release();
    expect(await portInUse()).toBe(primary.port);
    await primary.stop();
    kept.release();
    expect(await until('a statement works', () => portInUse().catch(() => undefined))).toBe(
      standby.port,
    );
  });

  test('a host that refuses does not keep connections from the primary', async () => {
    const refusing = createServer((socket) =>
      socket.once('data', () => socket.end(errorResponse('28000', 'no pg_hba.conf entry'))),
    ).listen(0, '127.0.0.1');
    await once(refusing, 'listening');
    const { port } = refusing.address() as AddressInfo;
    const url = servers.primary.url('sso').replace('@', `@127.0.0.1:${port},`);
    const other = await connect({ url, applicationName: 'spec' });
    for (let each = 0; each < 3; each += 1) {
      const { rows } = await poolOf(other).query('select inet_server_port() as port');
      expect(rows).toEqual([{ port: servers.primary.port }]);
    }
    await other.destroy();
    refusing.close();
  });

  test('a migration waits for no standby, so that its locks are not kept', async () => {
    servers.standby.pause();
    const Added = migration(
      { name: 'Added0000000000099', compatibleFrom: 24 },
      'create table added ()',
    );
    const upgraded = await connect({
      url: servers.url('sso'),
      applicationName: 'spec',
      migrations: [...(dataSource.options.migrations as MigrationClass[]), Added],
    });
    expect(await migrate(upgraded)).toEqual(['Added0000000000099']);
    await upgraded.destroy();
  });

  test('what a standby says of unlogged tables counts as unavailable', async () => {
    const table = 'select * from service_ticket_0';
    const error = await query(servers.standby.url('sso'), table).catch((thrown: unknown) => thrown);
    expect([codeOf(error), isUnavailable(error)]).toEqual(['0A000', true]);
  });

  test('the unlogged tables are empty after a failover, so that no spent ticket comes back', async () => {
    const { primary, standby } = servers;
    await query(
      primary.url('sso'),
      `insert into service_ticket_0 (id, session_id, service, from_new_login, expires_at)
       values ('\\x01', '\\x02', 'https://app.example.org/', false, now() + interval '1 hour')`,
    );
    await primary.stop();
    await standby.promote();
    const { rows } = await until('a statement works', () =>
      poolOf(dataSource)
        .query('select count(*)::integer as tickets from service_ticket_0')
        .catch(() => undefined),
    );
    expect(rows).toEqual([{ tickets: 0 }]);
  });

  test('announcements are heard from the new primary', async () => {
    const heard: string[] = [];
    const [listening, announcing] = [new Announcements(dataSource), new Announcements(dataSource)];
    listening.listen('spec', (event) => heard.push(event));
    listening.start();
    await until('it listens', () => heard.includes('first connection'));
    await servers.primary.stop();
    await servers.standby.promote();
    await until('it listens again', () => heard.includes('later connection'));
    await announcing.announce('spec');
    await until('it hears', () => heard.includes('announcement'));
    await listening.stop();
  });
});

/** @see PostgreSQL documentation, ErrorResponse */
function errorResponse(code: string, message: string): Buffer {
  const fields = Buffer.from(`SFATAL\0VFATAL\0C${code}\0M${message}\0\0`);
  const head = Buffer.from('E\0\0\0\0');
  head.writeInt32BE(fields.length + 4, 1);
  return Buffer.concat([head, fields]);
}
