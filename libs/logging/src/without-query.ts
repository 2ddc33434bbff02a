const REMOVABLE = /[?#@]/;
const USER = /^(https?:\/\/)[^/]*@/i;
const UP_TO_LAST_AT = /^([a-z][a-z0-9+.-]*:\/\/)?.*@/is;

/**
 * A URL for the log, without the parts that may hold secrets: user, password, query and fragment. Of a malformed URL nothing
 * before the last `@` remains, because no one knows where its password ends.
 */
export function withoutQuery(url: string): string {
  if (!REMOVABLE.test(url)) return url;
  const short = url.replace(/[?#].*$/s, '');
  if (!short.includes('@')) return short;
  return short.replace(isWebAddress(short) ? USER : UP_TO_LAST_AT, '$1');
}

function isWebAddress(url: string): boolean {
  return /^https?:\/\/[^/\\]/i.test(url) && !/[\\\s]/.test(url) && URL.canParse(url);
}
