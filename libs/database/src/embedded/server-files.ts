// The server's configuration, written anew at each start, and its log. They stand beside the data
// and not in it: root writes them, and should write nowhere the server's user can plant links.
import { copyFile, open, readFile, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Place } from './place.js';
import { ownName } from './system-user.js';

const LOG_LIMIT_BYTES = 5 * 1024 * 1024;
const LAST_WORDS_BYTES = 2_000;

/** Small; statements and row values stay out of the log. */
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
export async function writeServerFiles(place: Place): Promise<readonly string[]> {
  const file = (name: string): string => join(place.home, name);
  const settings = {
    ...SETTINGS,
    fsync: place.isDurable ? 'on' : 'off',
    hba_file: file('pg_hba.conf'),
    ident_file: file('pg_ident.conf'),
    unix_socket_directories: `"${place.socketDirectory}"`,
  };
  const lines = Object.entries(settings).map(([name, value]) => `${name} = '${escape(value)}'\n`);
  await writeFile(file('postgresql.conf'), `# Written at each start.\n${lines.join('')}`);
  // The kernel tells the server who is at the other end of the socket; no password exists.
  await writeFile(file('pg_hba.conf'), 'local all all peer map=tessera\n');
  const names = new Set(['root', ownName(), ...(place.user ? [place.user.name] : [])]);
  const map = [...names].map((name) => `tessera "${name}" postgres\n`);
  await writeFile(file('pg_ident.conf'), map.join(''));
  return ['-D', place.data, '-c', `config_file=${file('postgresql.conf')}`];
}

/** Opens the log to write on, after moving a long one aside. */
export async function openLog(place: Place): Promise<{ fd: number; close(): Promise<void> }> {
  await boundLog(place);
  const handle = await open(place.log, 'a', 0o600);
  return { fd: handle.fd, close: () => handle.close() };
}

/** Keeps the log and one older part of it within the limit, also while the server writes on. */
export async function boundLog(place: Place): Promise<void> {
  if ((await logSize(place)) < LOG_LIMIT_BYTES) return;
  await copyFile(place.log, `${place.log}.1`);
  await truncate(place.log);
}

export async function logSize(place: Place): Promise<number> {
  return stat(place.log).then(
    ({ size }) => size,
    () => 0,
  );
}

/** The end of what the server said since the log had the given size. */
export async function lastWords(place: Place, since: number): Promise<string> {
  const text = await readFile(place.log).catch(() => Buffer.alloc(0));
  const said = text.subarray(since <= text.length ? since : 0);
  return said.subarray(-LAST_WORDS_BYTES).toString('utf8').trim();
}

function escape(value: string): string {
  return value.replaceAll('\\', '\\\\').replaceAll("'", "''");
}
