// Two nodes, a primary and a standby of PostgreSQL, and HAProxy, as processes of this machine.
import { existsSync } from 'node:fs';
import { chmod, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { makeFolder, removeFolder } from '../../support/folders.js';
import { giveToPostgres, hasPostgresql, POSTGRESQL } from '../../support/postgres-server.js';
import { until } from '../../support/until.js';
import { http } from '../../support/http.js';
import type { Address, ChaosTarget } from '../target.js';
import { PLAIN_USERS } from '../users.js';
import { DatabaseServer } from './database-server.js';
import { openDisk } from './disk.js';
import { HAPROXY, HaProxy } from './haproxy.js';
import { openNetwork, type Network } from './network.js';
import { SsoMember, TOKEN } from './node.js';
import { PostgresCluster, type ClusterOptions } from './postgres-cluster.js';

export interface EnvironmentOptions extends ClusterOptions {
  /** A built checkout. */
  readonly build: string;
  readonly sessionLifetime: number;
}

export interface Environment extends ChaosTarget {
  readonly members: readonly SsoMember[];
  close(): Promise<void>;
}

/** Undoes what was opened, the last first. */
class Closers {
  private readonly closers: (() => Promise<unknown>)[] = [];

  add<T>(opened: T, close: (opened: T) => Promise<unknown>): T {
    this.closers.unshift(() => close(opened));
    return opened;
  }

  async close(): Promise<void> {
    for (const close of this.closers) {
      await close().catch((error: unknown) => process.stderr.write(`${String(error)}\n`));
    }
  }
}

/** Which programs are missing. */
export function missingPrograms(): readonly string[] {
  return [
    ...(hasPostgresql ? [] : [`PostgreSQL 15 (${POSTGRESQL})`]),
    ...(existsSync(HAPROXY) ? [] : [`HAProxy (${HAPROXY})`]),
  ];
}

export async function startEnvironment(options: EnvironmentOptions): Promise<Environment> {
  const closers = new Closers();
  // Namespaces, mounts and processes outlive this process otherwise.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void closers.close().then(() => process.kill(process.pid, signal)));
  }
  try {
    return await build(options, closers);
  } catch (error) {
    await closers.close();
    throw error;
  }
}

async function build(options: EnvironmentOptions, closers: Closers): Promise<Environment> {
  const folder = closers.add(await makeFolder(), removeFolder);
  const network = closers.add(await openNetwork(), (each) => each.close());
  const cluster = await startCluster({ folder, network, options, closers });
  const places = [await network.add('one'), await network.add('two')];
  const ports = [await SsoMember.ports(), await SsoMember.ports()];
  const nodes: Address[] = places.map(({ name, address: host }, index) => ({
    name,
    host,
    port: ports[index]![0],
  }));
  const { ownAddress: host } = network;
  const { primary, standby, checkPort } = cluster;
  const haproxy = closers.add(
    await HaProxy.start({ folder, host, nodes, servers: [primary, standby], checkPort }),
    ({ program }) => program.stop(),
  );
  const shared = { host, port: haproxy.databasePort };
  cluster.isFencedOff = async () => !(await canConnect(shared));
  await until('the primary is reachable', () => canConnect(shared));
  const members: SsoMember[] = [];
  for (const [index, place] of places.entries()) {
    // Without fencing, one node still reaches the old primary.
    const database = options.isFenced || index > 0 ? shared : primary;
    const own = { ...options, network, place, database, proxyPort: haproxy.port };
    const member = await SsoMember.create(
      { ...own, folder: join(folder, place.name) },
      ports[index]!,
    );
    members.push(closers.add(member, (each) => each.close()));
    await member.start();
  }
  const proxy = { name: 'proxy', host, port: haproxy.port };
  await until('HAProxy has both nodes', async () => {
    const reply = http('GET', `http://${host}:${proxy.port}`, '/cas/health/ready');
    return (await reply.catch(() => undefined))?.status === 200;
  });
  return {
    proxy,
    nodes,
    management: {
      nodes: nodes.map((node, index) => ({ ...node, port: members[index]!.managementPort })),
      token: TOKEN,
    },
    ownHost: host,
    path: '/cas',
    users: PLAIN_USERS,
    members,
    database: cluster,
    close: () => closers.close(),
  };
}

interface ClusterParts {
  readonly folder: string;
  readonly network: Network;
  readonly options: ClusterOptions;
  readonly closers: Closers;
}

async function startCluster(parts: ClusterParts): Promise<PostgresCluster> {
  const { folder, network, options, closers } = parts;
  const servers: DatabaseServer[] = [];
  for (const name of ['first', 'second']) {
    const own = join(folder, name);
    await mkdir(own);
    const disk = closers.add(await openDisk(own), (each) => each.unmount());
    await chmod(disk.folder, 0o755);
    await giveToPostgres(disk.folder);
    servers.push(await DatabaseServer.on(network, await network.add(name), disk));
  }
  const [first, second] = servers as [DatabaseServer, DatabaseServer];
  const cluster = new PostgresCluster(first, second, options);
  closers.add(cluster, (each) => each.close());
  await cluster.start();
  return cluster;
}

async function canConnect({ host, port }: Pick<Address, 'host' | 'port'>): Promise<boolean> {
  const login = { host, port, user: 'postgres', database: 'tessera' };
  const client = new pg.Client({ ...login, connectionTimeoutMillis: 1_000 });
  client.on('error', () => {});
  try {
    await client.connect();
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => {});
  }
}
