// Owns what can be told from the URL of a database without connecting to it, or loading what does.

/** Whether it is a PostgreSQL URL at all. */
export function isPostgresUrl(url: string): boolean {
  return /^postgres(?:ql)?:$/.test(parsed(url)?.protocol ?? '');
}

/** Which database it names, in words, for a log: without user and password. */
export function databaseNamedBy(url: string): string {
  const { hostname = '', port = '', pathname = '', searchParams } = parsed(url) ?? {};
  // As the driver has it, the query wins.
  const host = searchParams?.get('host') || hostname || 'localhost';
  return `database ${pathname.slice(1)} at ${host}:${searchParams?.get('port') || port || '5432'}`;
}

/** Whether two URLs differ in no more than user, password and options. Where one names no database, it is that of the user. */
export function namesSameDatabase(one: string, other: string): boolean {
  const isNamed = /^\/./.test(parsed(one)?.pathname ?? '');
  return isNamed && databaseNamedBy(one) === databaseNamedBy(other);
}

/** Without a host, where one is named in the query or nowhere, there may still be a user. */
function parsed(url: string): URL | null {
  return URL.parse(url.replace('@/', '@localhost/'));
}
