const REMOVABLE = /[?#@]/;
const USER = /^([a-z][a-z0-9+.-]*:\/\/)[^/?#]*@/i;

/** A URL for the log, without the parts that may hold secrets: user, password, query and fragment. */
export function withoutQuery(url: string): string {
  if (!REMOVABLE.test(url)) return url;
  return url.replace(/[?#].*$/s, '').replace(USER, '$1');
}
