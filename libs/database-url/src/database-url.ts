// Owns what the URL of a database says, told without the driver: that reads the files a URL names, and waits for them.
import { readRegularFile } from '@tessera/runtime';

/** They hold a certificate, or a key. */
const FILES = ['sslrootcert', 'sslcert', 'sslkey'];
const MOST_BYTES = 1_048_576;
/** What keeps a caller from waiting longer than we promise. */
const LIMITS = ['statement_timeout', 'query_timeout', 'idle_in_transaction_session_timeout'];
const CREDENTIALS = ['user', 'password'];
/** Stands where a URL has a user and no host, which no URL may have. */
const NO_HOST = '___';

/** What keeps a URL from being connected with, as it reads on from the name of its setting: quotes nothing of it. */
export function formFault(url: string): string | undefined {
  const parsed = parse(url);
  if (parsed === undefined) return 'must be postgresql://user:password@host/database';
  const limit = LIMITS.find((name) => parsed.searchParams.has(name));
  return limit && `must not set ${limit}: the limits of time are the program's own`;
}

/** The same, and what is wrong with the files that it names. */
export async function urlFault(url: string): Promise<string | undefined> {
  const fault = formFault(url);
  if (fault !== undefined) return fault;
  const parameters = new Map(parse(url)?.searchParams);
  for (const name of FILES) {
    const path = parameters.get(name);
    if (!path) continue;
    const reading = await readRegularFile(path, MOST_BYTES);
    if ('fault' in reading) return `names a file as ${name} that ${reading.fault}`;
  }
  return undefined;
}

/**
 * Whether two URLs differ in no more than user and password, wherever these stand in them. One that cannot be read
 * differs from none, and the embedded database, which has none, from all.
 */
export function isSameDatabase(one: string | undefined, other: string | undefined): boolean {
  if (one === undefined || other === undefined) return one === other;
  const [before, after] = [parse(one), parse(other)];
  if (before === undefined || after === undefined) return true;
  return JSON.stringify(placeOf(before)) === JSON.stringify(placeOf(after));
}

/** Which database it names, in words, for a log: without user and password. */
export function databaseNamedBy(url: string): string {
  const { hostname = '', port = '', pathname = '', searchParams } = parse(url) ?? {};
  // As the driver has it, the query wins.
  const host = searchParams?.get('host') || (hostname === NO_HOST ? '' : hostname) || 'localhost';
  return `database ${pathname.slice(1)} at ${host}:${searchParams?.get('port') || port || '5432'}`;
}

/** Everything but who logs in. Where no database is named, it is the user's. */
function placeOf({ hostname, port, pathname, username, searchParams }: URL): readonly unknown[] {
  const users = pathname.length > 1 ? [] : [username, ...searchParams.getAll('user')];
  const parameters = new URLSearchParams(searchParams);
  for (const name of CREDENTIALS) parameters.delete(name);
  parameters.sort();
  return [hostname, port, pathname, users, String(parameters)];
}

/** As the driver does: a text that is not escaped throughout is escaped anew, and a host may be missing. */
function parse(url: string): URL | undefined {
  if (!/^postgres(?:ql)?:\/\//.test(url)) return undefined;
  try {
    const isRaw = / |%[^a-f0-9]|%[a-f0-9][^a-f0-9]/i.test(url);
    const text = isRaw ? encodeURI(url).replaceAll(/%25(\d\d)/g, '%$1') : url;
    return URL.parse(text) ?? URL.parse(text.replace('@/', `@${NO_HOST}/`)) ?? undefined;
  } catch {
    return undefined;
  }
}
