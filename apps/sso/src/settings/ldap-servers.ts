// Validates the servers of a directory.

/** What is wrong with the URLs, to follow the name of the setting; undefined for good ones. */
export function serversViolation(
  urls: readonly string[],
  startTls: boolean,
  isProduction: boolean,
): string | undefined {
  if (!urls.every(isServer)) {
    return 'must list servers as ldap://host:port or ldaps://host:port';
  }
  return isProduction && !startTls && urls.some(isUnencrypted)
    ? 'must be ldaps, or ldap with start-tls, in profile production'
    : undefined;
}

/** Whether all connections to the servers have TLS. */
export function isEncrypted(urls: readonly string[], startTls: boolean): boolean {
  return startTls || urls.every((url) => url.startsWith('ldaps:'));
}

function isServer(server: string): boolean {
  const url = URL.parse(server);
  return url !== null && /^ldaps?:\/\/[^/?#@]+\/?$/.test(server) && url.hostname !== '';
}

function isUnencrypted(server: string): boolean {
  const { protocol, hostname } = new URL(server);
  return protocol === 'ldap:' && !/^(localhost|\[::1\]|127(\.\d{1,3}){3})$/.test(hostname);
}
