// How a URL parser reads a service URL, where that differs from the URL as written.
import { domainToUnicode } from 'node:url';

/**
 * A URL that every parser reads as it is written: a host name, then the end or a path without dot segments. Parsers end a
 * host at `?`, `#` and `\`, remove tabs and line feeds, and read numbers as addresses, where a pattern may not.
 */
const READ_AS_WRITTEN = new RegExp(
  [
    /^https?:\/\/(?:[a-z0-9-]+\.)*[a-z][a-z0-9-]*(?::\d{1,4})?/,
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
 * Other spellings of the URL that state what a parser reads, to be matched with patterns besides the URL as written: the
 * parser's own, and the same with readable characters. Empty where the URL is read as it is written, and for other schemes
 * than http and https. Undefined where a parser cannot read an http URL.
 * @see https://url.spec.whatwg.org/
 */
export function parsedSpellings(written: string): readonly string[] | undefined {
  if (READ_AS_WRITTEN.test(written)) return [];
  const url = URL.parse(written);
  if (url === null) return STARTS_AS_HTTP.test(written) ? undefined : [];
  if (!HTTP.test(url.protocol)) return [];
  const spellings = [url.href, readable(url)];
  // The parser adds a slash to a URL without a path, which a pattern for the bare host does not have.
  return ORIGIN.test(written) ? spellings.map((each) => each.slice(0, -1)) : spellings;
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
