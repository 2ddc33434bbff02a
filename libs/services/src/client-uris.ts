// Rules for the URIs of OpenID Connect clients: where browsers are sent, and where keys are loaded from.

/** Absolute, of the characters that RFC 3986 allows in a URI. */
const ABSOLUTE = /^[a-z][a-z0-9+.-]*:[!#-;=?-[\]_a-z~]+$/i;
const MAX_LENGTH = 2_000;
/** Others read `https:host` and `https:///host` in different ways. */
const WITH_HOST = /^https?:\/\/[^/?#]/i;
const USER_INFO = /^[^/?#]*:\/\/[^/?#]*@/;
/** Also where a dot is encoded. */
const DOT_DOT = /(?:\.|%2e){2}/i;
const LOOPBACK_HOSTS: ReadonlySet<string> = new Set(['127.0.0.1', '[::1]', 'localhost']);

/**
 * What is wrong with a URI that a browser is sent to, whatever the client is; see {@link schemeViolation} too.
 * The reason quotes the URI, unless that holds a password.
 *
 * @see RFC 6749 §3.1.2, RFC 9700 §4.1
 */
export function redirectUriViolation(uri: string): string | undefined {
  if (!ABSOLUTE.test(uri) || uri.length > MAX_LENGTH) {
    return `must be absolute URIs of ASCII with at most ${MAX_LENGTH} characters, as RFC 3986 writes them`;
  }
  if (USER_INFO.test(uri)) return 'must not hold a user name or password';
  const url = URL.parse(uri);
  if (url === null || (isWeb(url) && !WITH_HOST.test(uri))) {
    return `must be absolute URIs, not ${uri}`;
  }
  if (uri.includes('#')) return `must not have a fragment: ${uri}`;
  if (uri.includes('*')) return `must not have a wildcard, because they are compared whole: ${uri}`;
  if (DOT_DOT.test(uri)) return `must not contain two dots in a row: ${uri}`;
  return undefined;
}

/**
 * What is wrong with the scheme or the host of a URI for clients of this type.
 *
 * @param uri one without a {@link redirectUriViolation}
 * @see RFC 8252 §7
 */
export function schemeViolation(uri: string, type: 'web' | 'native'): string | undefined {
  const url = new URL(uri);
  const isLoopback = LOOPBACK_HOSTS.has(url.hostname);
  if (url.protocol === 'http:') {
    return isLoopback ? undefined : `must be https, except on a loopback host: ${uri}`;
  }
  if (url.protocol === 'https:') {
    const isRefused = type === 'native' && isLoopback;
    return isRefused ? `must be http on the loopback host of a native client: ${uri}` : undefined;
  }
  if (type === 'web') return `must be https: ${uri}`;
  return url.protocol.includes('.')
    ? undefined
    : `must have a scheme of the client's own, with a dot, such as com.example.app: ${uri}`;
}

/** What is wrong with a URI that this server requests. */
export function serverUriViolation(uri: string): string | undefined {
  return redirectUriViolation(uri) ?? schemeViolation(uri, 'web');
}

function isWeb({ protocol }: URL): boolean {
  return protocol === 'http:' || protocol === 'https:';
}
