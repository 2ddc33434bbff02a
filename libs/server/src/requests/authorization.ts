// Parses the Authorization header: Basic and Bearer.
import { isUtf8 } from 'node:buffer';

export type Authorization =
  | { readonly scheme: 'basic'; readonly name: string; readonly password: string }
  | { readonly scheme: 'bearer'; readonly token: string };

/** Longer headers are not decoded. */
const MAX_LENGTH = 4_096;
const SCHEME = /^(basic|bearer) +([A-Za-z0-9+/._~-]+=*)$/i;
const CONTROL = /\p{Cc}/u;

/**
 * The credentials; undefined where the header is absent, has another scheme or is malformed.
 * @see RFC 7617 §2, RFC 6750 §2.1
 */
export function readAuthorization(header: string | undefined): Authorization | undefined {
  if (header === undefined || header.length > MAX_LENGTH) return undefined;
  const [, scheme = '', credentials = ''] = SCHEME.exec(header) ?? [];
  if (scheme === '') return undefined;
  return scheme.toLowerCase() === 'basic'
    ? readBasic(credentials)
    : { scheme: 'bearer', token: credentials };
}

function readBasic(credentials: string): Authorization | undefined {
  const bytes = Buffer.from(credentials, 'base64');
  if (!isUtf8(bytes)) return undefined;
  const text = bytes.toString('utf8');
  const colon = text.indexOf(':');
  if (colon < 0 || CONTROL.test(text)) return undefined;
  return { scheme: 'basic', name: text.slice(0, colon), password: text.slice(colon + 1) };
}
