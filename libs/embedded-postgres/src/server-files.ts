// The server's configuration, written at each start, and its log. They are beside the data directory, not in it: root
// writes them, and must not write where the server's user could plant links.
import { open, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Instance } from './instance.js';
import { ownName } from './programs.js';

const MAX_LOG_BYTES = 5 * 1024 * 1024;
const LOG_TAIL_BYTES = 2_000;

/** For a small server. Statements and row values stay out of the log. */
const SETTINGS: Readonly<Record<string, string>> = {
  listen_addresses: '',
  port: '5432',
  unix_socket_permissions: '0700',
  max_connections: '200',
  shared_buffers: '128MB',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_checkpoints: 'off',
  log_error_verbosity: 'terse',
  log_min_error_statement: 'panic',
};

/** Writes the configuration and returns the server's command line. */
export async function writeServerFiles(instance: Instance): Promise<readonly string[]> {
  const file = (name: string): string => join(instance.home, name);
  const settings = {
    ...SETTINGS,
    fsync: instance.isDurable ? 'on' : 'off',
    hba_file: file('pg_hba.conf'),
    ident_file: file('pg_ident.conf'),
    unix_socket_directories: `"${instance.socketDirectory}"`,
  };
  const lines = Object.entries(settings).map(([name, value]) => `${name} = '${escape(value)}'\n`);
  await writeFile(file('postgresql.conf'), `# Written at each start.\n${lines.join('')}`);
  // Peer authentication: the kernel reports the user of the connecting process. There is no password.
  await writeFile(file('pg_hba.conf'), 'local all all peer map=tessera\n');
  const names = new Set(['root', ownName(), ...(instance.user ? [instance.user.name] : [])]);
  const map = [...names].map((name) => `tessera "${name}" postgres\n`);
  await writeFile(file('pg_ident.conf'), map.join(''));
  return ['-D', instance.data, '-c', `config_file=${file('postgresql.conf')}`];
}

/** Opens the log for appending. A long one becomes `.1`. */
export async function openLog(instance: Instance): Promise<{ fd: number; close(): Promise<void> }> {
  if ((await logSize(instance)) >= MAX_LOG_BYTES) await rename(instance.log, `${instance.log}.1`);
  const handle = await open(instance.log, 'a', 0o600);
  return { fd: handle.fd, close: () => handle.close() };
}

export async function logSize(instance: Instance): Promise<number> {
  return stat(instance.log).then(
    ({ size }) => size,
    () => 0,
  );
}

/** The end of what the server logged since the log had the size `since`. */
export async function logTail(instance: Instance, since: number): Promise<string> {
  const text = await readFile(instance.log).catch(() => Buffer.alloc(0));
  const written = text.subarray(since <= text.length ? since : 0);
  return written.subarray(-LOG_TAIL_BYTES).toString('utf8').trim();
}

function escape(value: string): string {
  return value.replaceAll('\\', '\\\\').replaceAll("'", "''");
}
