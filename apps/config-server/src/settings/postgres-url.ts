// Owns what can be told from the URL of a database without connecting to it.

/** Whether it is a PostgreSQL URL at all. */
export function isPostgresUrl(url: string): boolean {
  return /^postgres(?:ql)?:$/.test(parsed(url)?.protocol ?? '');
}

/** Which database it names, in words, for a log: without user and password. */
export function databaseNamedBy(url: string): string {
  const { hostname = '', port = '', pathname = '', searchParams } = parsed(url) ?? {};
  const host = searchParams?.get('host') ?? hostname;
  return `database ${pathname.slice(1)} at ${host || 'localhost'}:${port || '5432'}`;
}

/** Without a host, where one is named in the query or nowhere, there may still be a user. */
function parsed(url: string): URL | null {
  return URL.parse(url.replace('@/', '@localhost/'));
}
