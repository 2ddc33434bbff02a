// Starts what docker-compose.ha.yml has beside docker-compose.yml, by Debian's packages: etcd, PostgreSQL under Patroni, HAProxy.

import { spawnSync } from 'node:child_process';
import {
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';

import { Child } from './child.ts';
import type { Service } from './compose-file.ts';
import type { LocalAddresses } from './local-addresses.ts';

/** They name other programs, as for the tests. */
const { HAPROXY = '/usr/sbin/haproxy', POSTGRESQL = '/usr/lib/postgresql/15/bin/postgres' } =
  process.env;
const POSTGRESQL_PROGRAMS = dirname(POSTGRESQL);
const REST_PORT = 8008;
const STATUS_PORT = 8404;

/** A file of each package that is needed. */
const PACKAGES = {
  haproxy: HAPROXY,
  'etcd-server': '/usr/bin/etcd',
  patroni: '/usr/bin/patroni',
  // Patroni needs it for etcd 3, too.
  'python3-etcd': '/usr/lib/python3/dist-packages/etcd',
  'postgresql-15': POSTGRESQL,
} as const;

/** Names of Debian's packages that are not installed. */
export function missingPackages(): readonly string[] {
  return Object.entries(PACKAGES).flatMap(([name, file]) => (existsSync(file) ? [] : [name]));
}

export interface HaOptions {
  readonly service: Service;
  readonly env: Readonly<Record<string, string>>;
  readonly addresses: LocalAddresses;
  /** Path of a new folder for all files. */
  readonly folder: string;
}

type Start = (options: HaOptions, onStart: (child: Child) => void) => Promise<void>;

/** How a service is started, by the beginning of its image. Each returns when the service is ready. */
export const HA_STARTS: Readonly<Record<string, Start>> = {
  'quay.io/coreos/etcd:': startEtcd,
  'tessera-patroni': startPatroni,
  'haproxy:': startHaproxy,
};

async function startEtcd(
  { service: { name }, env, folder }: HaOptions,
  onStart: (child: Child) => void,
): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const own = { ...env, ETCD_DATA_DIR: join(folder, 'data'), ETCD_LOG_LEVEL: 'warn' };
  const child = new Child({ name, program: PACKAGES['etcd-server'], args: [], env: own, cwd: '/' });
  onStart(child);
  await child.untilReady(async () => (await fetch(`${env['ETCD_LISTEN_CLIENT_URLS']}/health`)).ok);
}

/** Nothing for the service that builds the image. */
async function startPatroni(
  { service, env, addresses, folder }: HaOptions,
  onStart: (child: Child) => void,
): Promise<void> {
  const { name, mounts, isOneShot } = service;
  if (isOneShot) return;
  const identity = postgresUser();
  const [{ source, target } = { source: '', target: '' }] = mounts;
  const settings = join(folder, 'settings');
  mkdirSync(settings, { recursive: true });
  // A copy: the user of PostgreSQL may not be able to read the checkout.
  for (const file of readdirSync(source)) {
    const text = readFileSync(join(source, file), 'utf8');
    writeFileSync(join(settings, file), text.replaceAll(target, settings));
  }
  if (identity.user !== undefined) chownSync(folder, identity.user.uid, identity.user.gid);
  const own = {
    ...env,
    PATH: `${POSTGRESQL_PROGRAMS}:/usr/bin:/bin`,
    LC_ALL: 'C.UTF-8',
    TZ: 'UTC',
    PATRONI_POSTGRESQL_BIN_DIR: POSTGRESQL_PROGRAMS,
    PATRONI_POSTGRESQL_DATA_DIR: join(folder, 'data'),
    PATRONI_POSTGRESQL_PGPASS: join(folder, 'pgpass'),
  };
  const program = PACKAGES.patroni;
  const args = [join(settings, 'patroni.yml')];
  const child = new Child({ name, program, args, env: own, cwd: '/', ...identity });
  onStart(child);
  const url = `http://127.0.0.1:${addresses.port(name, REST_PORT)}/health`;
  await child.untilReady(async () => (await fetch(url)).ok);
}

/** Ends PostgreSQL servers that their Patroni has left behind. @param folder of all services */
export function endPostmasters(folder: string): void {
  for (const name of readdirSync(folder)) {
    const file = join(folder, name, 'data/postmaster.pid');
    if (existsSync(file)) process.kill(Number.parseInt(readFileSync(file, 'utf8'), 10), 'SIGQUIT');
  }
}

async function startHaproxy(
  { service: { name, mounts }, env, addresses }: HaOptions,
  onStart: (child: Child) => void,
): Promise<void> {
  const args = ['-db', '-q', '-f', mounts[0]?.source ?? ''];
  const child = new Child({ name, program: PACKAGES.haproxy, args, env, cwd: '/' });
  onStart(child);
  const url = `http://127.0.0.1:${addresses.port(name, STATUS_PORT)}/`;
  await child.untilReady(async () => (await fetch(url)).ok);
}

/** PostgreSQL refuses to run as root. */
function postgresUser(): { readonly user?: { readonly uid: number; readonly gid: number } } {
  if (process.getuid?.() !== 0) return {};
  const [uid = 0, gid = 0] = ['-u', '-g'].map((field) =>
    Number(spawnSync('id', [field, 'postgres'], { encoding: 'utf8' }).stdout),
  );
  return { user: { uid, gid } };
}
