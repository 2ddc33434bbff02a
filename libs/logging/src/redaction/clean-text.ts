// Cleans text for a log line: masks secrets, limits the length and escapes control characters.
import { isSecretField } from './secret-fields.js';

/** The longest text of a field or message, in UTF-16 units. */
export const MAX_TEXT = 8192;

/** Characters that end a line, control a terminal or change the direction of writing. */
const INVISIBLE = /[\p{Cc}\u2028\u2029\p{Bidi_Control}]/gu;

/** Text with nothing to mask or escape, as most log text is. */
const PLAIN_TEXT = /^[\w !"#$&'()*+,./;<>?@[\\\]^`{|}~]*$/;

const PREFIX = '(TGT|ST|PGTIOU|PGT|PT|LR)';
const HYPHEN = '(?:-|%2D)';

/**
 * A ticket id of any length that stands by itself (also after a percent-encoded character); or one that follows a letter
 * or digit, if it is longer than what follows a hyphen in ordinary words.
 */
const TICKET = new RegExp(
  `(?:(?<![A-Za-z0-9])|(?<=%[0-9A-Fa-f]{2}))${PREFIX}${HYPHEN}([A-Za-z0-9-]+)` +
    `|${PREFIX}${HYPHEN}([A-Za-z0-9-]{16,})`,
  'g',
);

/** The last four characters of a shorter id would be too much of it. */
const MIN_LENGTH_TO_SHOW_END = 12;

const POSTGRES_URL = /(?<=postgres(?:ql)?:\/\/)[^\s"'<>]+/gi;
const AUTHORITY = /(?<=:\/\/)[^\s/?#"'<>]+/g;
const PARAMETER = /(?<=^|[?&\s])([\w.-]{1,64})=[^&#\s"'<>]+/g;

/** Masks before it cuts, so that no part of a secret remains at the end. */
export function cleanText(text: string, limit = MAX_TEXT): string {
  if (text.length <= limit && PLAIN_TEXT.test(text)) return text;
  const masked = maskUrlSecrets(maskTickets(text));
  const rest = masked.length - limit;
  const cut = rest > 0 ? `${masked.slice(0, limit)}… [${rest} more characters]` : masked;
  return cut.toWellFormed().replace(INVISIBLE, escape);
}

/** Replaces every ticket id by its prefix and last four characters: `TGT-…a91f`. */
export function maskTickets(text: string): string {
  return text.replace(
    TICKET,
    (_ticket, ...[prefix, id, gluedPrefix, gluedId]: (string | undefined)[]) =>
      maskTicket(prefix ?? gluedPrefix ?? '', id ?? gluedId ?? ''),
  );
}

function maskTicket(prefix: string, id: string): string {
  return `${prefix}-…${id.length < MIN_LENGTH_TO_SHOW_END ? '' : id.slice(-4)}`;
}

/** `postgresql://user:pass@host` → `postgresql://user:[redacted]@host`; `?token=x` → `?token=[redacted]`. */
function maskUrlSecrets(text: string): string {
  const masked = text.includes('://')
    ? text.replace(POSTGRES_URL, maskUserInfo).replace(AUTHORITY, maskUserInfo)
    : text;
  return masked.includes('=') ? masked.replace(PARAMETER, maskParameter) : masked;
}

function maskParameter(pair: string, name: string): string {
  return isSecretField(name) ? `${name}=[redacted]` : pair;
}

/** The password ends at the last `@`, since users forget to encode those inside it. */
function maskUserInfo(authority: string): string {
  const end = authority.lastIndexOf('@');
  const colon = authority.indexOf(':');
  if (colon === -1 || colon > end) return authority;
  return `${authority.slice(0, colon)}:[redacted]${authority.slice(end)}`;
}

/** ESC → the six characters `\u001b`. */
function escape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
