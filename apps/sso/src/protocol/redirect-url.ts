// The URLs of applications to which browsers are redirected.

/** Scheme, then a host without user, backslash or white space. */
const START = /^https?:\/\/[^/\\?#@\s]+(?=[/?#]|$)/i;
/** Control characters, white space but U+0020, and backslashes, which browsers remove or read as something else. */
// oxlint-disable-next-line no-control-regex -- control characters are among them
const FORBIDDEN = /[\u0000-\u001f\u007f-\u00a0\\\u2028\u2029]/;
const NOT_ASCII = /[^\u0021-\u007e]+/gu;

/**
 * Whether a browser can be sent to the URL: http or https, with a host and without a user, and read by browsers as it is
 * matched with the registered services.
 */
export function isRedirectable(service: string): boolean {
  if (!START.test(service) || FORBIDDEN.test(service) || !service.isWellFormed()) return false;
  const url = URL.parse(service);
  return url !== null && url.username === '' && url.password === '';
}

/**
 * Adds a parameter to the query, in front of a fragment.
 * @param service redirectable
 * @returns ASCII, for a header
 */
export function withParameter(service: string, name: string, value: string): string {
  const hash = service.indexOf('#');
  const base = hash < 0 ? service : service.slice(0, hash);
  const fragment = hash < 0 ? '' : service.slice(hash);
  return toAscii(`${base}${separatorAfter(base)}${name}=${value}${fragment}`);
}

function separatorAfter(base: string): string {
  if (!base.includes('?')) return '?';
  return /[?&]$/.test(base) ? '' : '&';
}

/** Percent-encodes spaces and characters beyond ASCII. */
export function toAscii(url: string): string {
  return url.replace(NOT_ASCII, encodeURIComponent);
}
