// How a URL parser reads a service URL, where that differs from the URL as written.
import { domainToUnicode } from 'node:url';

/**
 * A URL that every parser reads as it is written: a host name, then the end or a path without dot segments. Parsers end a
 * host at `?`, `#` and `\`, remove tabs and line feeds, and read numbers as addresses, where a pattern may not. A label with
 * `xn--` stands for one with other letters.
 */
const READ_AS_WRITTEN = new RegExp(
  [
    /^https?:\/\/(?![^/]*xn--)(?:[a-z0-9-]+\.)*[a-z][a-z0-9-]*(?::\d{1,4})?/,
    /(?:$|(?![^?]*\/(?:\.|%2e){1,2}(?:[/?]|$))\/[^\s"#'<>?\\^`{|}\u007f-\uffff]*(?:\?[^\s"#'<>\u007f-\uffff]*)?$)/,
  ]
    .map(({ source }) => source)
    .join(''),
  'i',
);
const HTTP = /^https?:$/;
const STARTS_AS_HTTP = /^\s*https?:/i;
const ORIGIN = /^[^/?#\\]*:\/\/[^/?#\\]*$/;

/**
 * Other spellings of the URL that state what a parser reads, to be matched with patterns besides the URL as written: that of
 * the parser, the same with readable characters, and both without the user and the dot at the end of the host. Empty where
 * the URL is read as it is written, and for other schemes than http and https. Undefined where a parser cannot read an http
 * URL.
 * @see https://url.spec.whatwg.org/
 */
export function parsedSpellings(written: string): readonly string[] | undefined {
  if (READ_AS_WRITTEN.test(written)) return [];
  const url = URL.parse(written);
  if (url === null) return STARTS_AS_HTTP.test(written) ? undefined : [];
  if (!HTTP.test(url.protocol)) return [];
  const spellings = [url.href, readable(url)];
  const plain = plainHost(url);
  if (plain !== undefined) spellings.push(plain.href, readable(plain));
  // The parser adds a slash to a URL without a path, which a pattern for the bare host does not have.
  return ORIGIN.test(written) ? spellings.map((each) => each.slice(0, -1)) : spellings;
}

/** The URL at the same server, without a user and a dot at the end of the host. Undefined where it has neither. */
function plainHost(url: URL): URL | undefined {
  const { hostname, username, password } = url;
  if (!hostname.endsWith('.') && username + password === '') return undefined;
  const plain = new URL(url);
  plain.username = '';
  plain.password = '';
  plain.hostname = hostname.replace(/\.$/, '');
  return plain;
}

/** Characters that the parser has encoded, but no delimiters, are decoded again. */
function readable({ href, host, hostname, port, pathname, search, hash, protocol }: URL): string {
  try {
    if (!href.startsWith(`${protocol}//${host}/`)) return decodeURI(href);
    const unicode = domainToUnicode(hostname) + (port === '' ? '' : `:${port}`);
    return `${protocol}//${unicode}${decodeURI(pathname + search + hash)}`;
  } catch (error) {
    if (error instanceof URIError) return href;
    throw error;
  }
}
