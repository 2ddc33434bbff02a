// Parses database URLs without the driver: the driver would read the files that a URL names.
import { readRegularFile } from './read-regular-file.js';

/** Their values are paths of certificates and keys. */
const FILE_PARAMETERS = ['sslrootcert', 'sslcert', 'sslkey'];
const MAX_FILE_BYTES = 1_048_576;
/** Timeouts are the application's own: callers depend on them. */
const TIMEOUT_PARAMETERS = [
  'statement_timeout',
  'query_timeout',
  'idle_in_transaction_session_timeout',
];
const CREDENTIALS = ['user', 'password'];
/** Takes the place of a missing host: `URL` accepts no user without a host. */
const HOST_PLACEHOLDER = '___';

/** What is invalid in a URL, to follow the name of its setting; undefined for a valid one. Repeats no part of the URL. */
export function urlFormatViolation(url: string): string | undefined {
  const parsed = parse(url);
  if (parsed === undefined) return 'must be postgresql://user:password@host/database';
  const limit = TIMEOUT_PARAMETERS.find((name) => parsed.searchParams.has(name));
  return limit && `must not set ${limit}: the application sets its own timeouts`;
}

/** As {@link urlFormatViolation}, and checks the files that the URL names. */
export async function urlViolation(url: string): Promise<string | undefined> {
  const violation = urlFormatViolation(url);
  if (violation !== undefined) return violation;
  const parameters = new Map(parse(url)?.searchParams);
  for (const name of FILE_PARAMETERS) {
    const path = parameters.get(name);
    if (!path) continue;
    const reading = await readRegularFile(path, MAX_FILE_BYTES);
    if ('error' in reading) return `names a file as ${name} that ${reading.error}`;
  }
  return undefined;
}

/**
 * Whether two URLs differ in user and password at most. An invalid URL counts as the same as any other: connecting
 * reports it. Undefined is the embedded database, which differs from every URL.
 */
export function isSameDatabase(one: string | undefined, other: string | undefined): boolean {
  if (one === undefined || other === undefined) return one === other;
  const [before, after] = [parse(one), parse(other)];
  if (before === undefined || after === undefined) return true;
  return JSON.stringify(locationOf(before)) === JSON.stringify(locationOf(after));
}

/** The database of a URL, for a log: without user and password. */
export function describeDatabase(url: string): string {
  const { hostname = '', port = '', pathname = '', searchParams } = parse(url) ?? {};
  // As in the driver, the query overrides the host.
  const host =
    searchParams?.get('host') || (hostname === HOST_PLACEHOLDER ? '' : hostname) || 'localhost';
  return `database ${pathname.slice(1)} at ${host}:${searchParams?.get('port') || port || '5432'}`;
}

/** All parts but the login. Without a name, the database has the user's name. */
function locationOf({ hostname, port, pathname, username, searchParams }: URL): readonly unknown[] {
  const users = pathname.length > 1 ? [] : [username, ...searchParams.getAll('user')];
  const parameters = new URLSearchParams(searchParams);
  for (const name of CREDENTIALS) parameters.delete(name);
  parameters.sort();
  return [hostname, port, pathname, users, String(parameters)];
}

/** Parses as the driver does: escapes a URL that is not fully escaped, and accepts a missing host. */
function parse(url: string): URL | undefined {
  if (!/^postgres(?:ql)?:\/\//.test(url)) return undefined;
  try {
    const isRaw = / |%[^a-f0-9]|%[a-f0-9][^a-f0-9]/i.test(url);
    const text = isRaw ? encodeURI(url).replaceAll(/%25(\d\d)/g, '%$1') : url;
    return URL.parse(text) ?? URL.parse(text.replace('@/', `@${HOST_PLACEHOLDER}/`)) ?? undefined;
  } catch {
    return undefined;
  }
}
