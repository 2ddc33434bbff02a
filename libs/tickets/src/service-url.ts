// Compares service URLs.

interface ServiceParts {
  readonly scheme: string;
  readonly authority: string;
  readonly path: string;
  readonly query: string | undefined;
}

const HIERARCHICAL = /^([A-Za-z][A-Za-z0-9+.-]*):\/\/([^/?]*)([^?]*)(?:\?([\s\S]*))?$/;
const OPAQUE = /^([^?]*)(?:\?([\s\S]*))?$/;
/** Most services match this: nothing in them has another spelling. No default port has four or five digits. */
const CANONICAL = /^https?:\/\/[a-z0-9.-]+(?::[0-9]{4,5})?(?:[/?][!"$&-*,-:<-~]*)?$/;
const DEFAULT_PORTS: Readonly<Record<string, string>> = { http: '80', https: '443' };

/**
 * Whether a ticket issued for `issued` may be redeemed by `presented`: equal after decoding once, without
 * `#fragment` and `;jsessionid=…`; scheme and host regardless of case, default ports left out. The case of the path,
 * a trailing slash and the order of the query matter; nothing is matched by prefix.
 * @see docs/protocol.md, "When two service URLs are the same"
 */
export function isSameService(issued: string, presented: string): boolean {
  if (issued === presented) return true;
  const one = read(issued);
  const other = read(presented);
  return (
    one.scheme === other.scheme &&
    one.authority === other.authority &&
    one.path === other.path &&
    one.query === other.query
  );
}

/**
 * The canonical spelling of a service URL, equal for all services that are the same for `isSameService`. Patterns can be
 * matched with it. Bytes that are no UTF-8 become the replacement character.
 */
export function canonicalService(service: string): string {
  if (CANONICAL.test(service)) return service;
  const { scheme, authority, path, query } = read(service);
  const front = scheme === '' ? '' : `${scheme}://${authority}`;
  const bytes = query === undefined ? front + path : `${front}${path}?${query}`;
  return isAscii(bytes) ? bytes : Buffer.from(bytes, 'latin1').toString('utf8');
}

/** Splits the parts before it decodes them, so that an encoded `?` or `/` never moves a boundary. */
function read(service: string): ServiceParts {
  const hash = service.indexOf('#');
  const text = hash < 0 ? service : service.slice(0, hash);
  const match = HIERARCHICAL.exec(text);
  if (match) {
    const scheme = (match[1] ?? '').toLowerCase();
    return {
      scheme,
      authority: readAuthority(match[2] ?? '', scheme),
      path: readPath(match[3] ?? ''),
      query: readQuery(match[4]),
    };
  }
  const opaque = OPAQUE.exec(text);
  return {
    scheme: '',
    authority: '',
    path: readPath(opaque?.[1] ?? ''),
    query: readQuery(opaque?.[2]),
  };
}

function readAuthority(text: string, scheme: string): string {
  const at = text.lastIndexOf('@');
  const user = text.slice(0, at + 1);
  const host = decode(text.slice(at + 1)).toLowerCase();
  const port = /:(\d*)$/.exec(host);
  const isDefault = port !== null && (port[1] === '' || port[1] === DEFAULT_PORTS[scheme]);
  return user + (isDefault ? host.slice(0, port.index) : host);
}

function readPath(text: string): string {
  return decode(text.replace(/;jsessionid=[^;/]*/gi, ''));
}

function readQuery(text: string | undefined): string | undefined {
  return text === undefined ? undefined : decode(text.replaceAll('+', ' '));
}

/**
 * Percent-decodes once, byte by byte. The result has one Latin-1 character per byte of UTF-8: `é`, `%C3%A9` and `%c3%a9`
 * become equal, and bytes that are no UTF-8 still compare exactly. A `%` without two hexadecimal digits stays.
 */
function decode(text: string): string {
  const bytes = isAscii(text) ? text : Buffer.from(text, 'utf8').toString('latin1');
  if (!bytes.includes('%')) return bytes;
  return bytes.replace(/%([0-9A-Fa-f]{2})/g, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
}

function isAscii(text: string): boolean {
  for (let index = 0; index < text.length; index += 1) {
    if (text.charCodeAt(index) > 0x7f) return false;
  }
  return true;
}
