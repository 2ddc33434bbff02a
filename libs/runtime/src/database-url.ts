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
/** Values of `target_session_attrs` for a server that can write. */
const WRITABLE = ['read-write', 'primary'];
/** Scheme and login, hosts, and the rest. */
const AUTHORITY = /^(postgres(?:ql)?:\/\/(?:[^/?#]*@)?)([^/?#@]*)(.*)$/s;
/** Makes a URL invalid whose list of hosts has a gap. */
const EMPTY_HOST = '[]';
/** Takes the place of a missing host: `URL` accepts no user without a host. */
const HOST_PLACEHOLDER = '___';

/** What is invalid in a URL, to follow the name of its setting; undefined for a valid one. Repeats no part of the URL. */
export function urlFormatViolation(url: string): string | undefined {
  const parsed = urlsOfHosts(url).map(parse);
  const [first] = parsed;
  if (first === undefined || parsed.includes(undefined)) {
    return 'must be postgresql://user:password@host/database';
  }
  const { searchParams: parameters } = first;
  const limit = TIMEOUT_PARAMETERS.find((name) => parameters.has(name));
  if (limit !== undefined) return `must not set ${limit}: the application sets its own timeouts`;
  const wanted = parameters.get('target_session_attrs') ?? 'read-write';
  if (!WRITABLE.includes(wanted)) {
    return 'must have no target_session_attrs, or read-write or primary: the application writes';
  }
  const isInQuery = parameters.has('host') || parameters.has('port');
  if (!isInQuery) return undefined;
  const values = parameters.getAll('host').concat(parameters.getAll('port'));
  if (parsed.length === 1 && !values.some((each) => each.includes(','))) return undefined;
  return 'must name several hosts as postgresql://one:5432,two:5432/database';
}

/**
 * One URL for each host of a URL that names several, in their order; else the URL alone.
 *
 * @see PostgreSQL documentation, "Specifying Multiple Hosts"
 */
export function urlsOfHosts(url: string): readonly [string, ...string[]] {
  const [, before = '', hosts = '', after = ''] = AUTHORITY.exec(url) ?? [];
  const [first, ...others] = hosts.split(',');
  if (others.length === 0) return [url];
  const urlOf = (host = ''): string => `${before}${host || EMPTY_HOST}${after}`;
  return [urlOf(first), ...others.map(urlOf)];
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

/** The database of a URL, for a log: without user and password. */
export function describeDatabase(url: string): string {
  const parsed = urlsOfHosts(url).map(parse);
  const places = parsed.map((each) => (each === undefined ? '' : placeOf(each)));
  return `database ${parsed[0]?.pathname.slice(1) ?? ''} at ${places.join(',')}`;
}

/** As in the driver, the query overrides host and port. */
function placeOf({ hostname, port, searchParams }: URL): string {
  const host =
    searchParams.get('host') || (hostname === HOST_PLACEHOLDER ? '' : hostname) || 'localhost';
  return `${host}:${searchParams.get('port') || port || '5432'}`;
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
