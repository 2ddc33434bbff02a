// The proxy of the backend `git`, for repositories over http and https.
import type { Secret, Violation } from '@tessera/config';
import { credentialViolations } from './git-access.js';
import { proxyUriViolation } from './git-uri.js';

/** What libcurl may decode in credentials that git has decoded before. */
const DECODED = /%[0-9a-f]{2}/i;
/** A name or an address of a host, or the end of a name. */
const HOST = /^[A-Za-z0-9._:-]+$/;

export interface GitProxy {
  /** `http://host:port` or `https://host:port`. */
  readonly uri: string;
  readonly credentials?: { readonly username: string; readonly password: Secret } | undefined;
  /** Hosts that are reached without the proxy, with all names that end in them. */
  readonly exceptions: readonly string[];
}

/** The proxy as it is set. */
export interface GitProxySettings {
  readonly proxyUri: string;
  readonly proxyUsername: string;
  readonly proxyPassword: Secret | undefined;
  readonly proxyExceptions: readonly string[];
}

/** Undefined for none. @param given without violations */
export function gitProxyOf(given: GitProxySettings): GitProxy | undefined {
  const { proxyUri, proxyUsername: username, proxyPassword: password, proxyExceptions } = given;
  if (proxyUri === '') return undefined;
  const credentials = password && username !== '' ? { username, password } : undefined;
  return { uri: proxyUri, credentials, exceptions: proxyExceptions };
}

export function* proxyViolations(given: GitProxySettings): Iterable<Violation> {
  const { proxyUri, proxyUsername: username, proxyPassword: password, proxyExceptions } = given;
  if (proxyUri === '') {
    const others = [username, password?.reveal() ?? '', ...proxyExceptions];
    if (others.some((value) => value !== '')) {
      yield { key: keyOf('uri'), message: 'is required with the other settings of the proxy' };
    }
    return;
  }
  const message = proxyUriViolation(proxyUri);
  if (message !== undefined) yield { key: keyOf('uri'), message };
  yield* credentialViolations({ username, password }, keyOf);
  for (const [field, value] of Object.entries({ username, password: password?.reveal() ?? '' })) {
    if (!DECODED.test(value)) continue;
    const what = 'may hold no % before two hexadecimal digits, which some releases of curl decode';
    yield { key: keyOf(field), message: what };
  }
  for (const [index, host] of proxyExceptions.entries()) {
    if (HOST.test(host)) continue;
    const rule = 'is no name or address of a host';
    const quoting = { message: `"${host}" ${rule}`, rule: `element ${index + 1} ${rule}` };
    yield { key: keyOf('no-proxy'), ...quoting };
  }
}

function keyOf(field: string): string {
  return `config-server.git.proxy.${field}`;
}
