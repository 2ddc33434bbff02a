// Owns what can be told from the URL of a database without connecting to it, or loading what does.

/** What keeps whoever asks from waiting longer than we promise. */
const LIMITS = ['statement_timeout', 'query_timeout', 'idle_in_transaction_session_timeout'];

/** What is wrong with a URL by itself, as it reads on from the name of its setting. */
export function formFault(url: string): string | undefined {
  const place = parsed(url);
  if (!/^postgres(?:ql)?:$/.test(place?.protocol ?? '')) {
    return 'must be postgresql://user:password@host/database';
  }
  const limit = LIMITS.find((name) => place?.searchParams.has(name));
  return limit && `must not set ${limit}: the limits of time are the program's own`;
}

/** Which database it names, in words, for a log: without user and password. */
export function databaseNamedBy(url: string): string {
  const { hostname = '', port = '', pathname = '', searchParams } = parsed(url) ?? {};
  // As the driver has it, the query wins.
  const host = searchParams?.get('host') || hostname || 'localhost';
  return `database ${pathname.slice(1)} at ${host}:${searchParams?.get('port') || port || '5432'}`;
}

/** Whether two URLs differ in no more than user and password. Where one names no database, it is that of the user. */
export function namesSameDatabase(one: string, other: string): boolean {
  const [before, after] = [placeOf(one), placeOf(other)];
  return before !== undefined && before === after;
}

function placeOf(url: string): string | undefined {
  const place = parsed(url);
  if (place === null || place.pathname.length < 2) return undefined;
  const { hostname, port, pathname, searchParams } = place;
  for (const name of ['user', 'password']) searchParams.delete(name);
  searchParams.sort();
  return JSON.stringify([hostname, port, pathname, String(searchParams)]);
}

/**
 * As the driver does: a text that is not escaped throughout is escaped anew. Without a host, where one is named in the query
 * or nowhere, there may still be a user.
 */
function parsed(url: string): URL | null {
  try {
    const isRaw = / |%[^a-f0-9]|%[a-f0-9][^a-f0-9]/i.test(url);
    const text = isRaw ? encodeURI(url).replaceAll(/%25(\d\d)/g, '%$1') : url;
    return URL.parse(text) ?? URL.parse(text.replace('@/', '@localhost/'));
  } catch {
    return null;
  }
}
