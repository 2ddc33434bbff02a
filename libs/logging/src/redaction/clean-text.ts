// Owns the way of every text into a log line: secrets masked, length bounded, one visible line.
import { maskTickets } from './mask-tickets.js';
import { maskUrlSecrets } from './mask-url-secrets.js';

/** The longest text of a field or message, in UTF-16 units. */
export const MAX_TEXT = 8192;

/** What ends a line, steers a terminal or turns the direction of writing. */
const INVISIBLE = /[\p{Cc}\u2028\u2029\p{Bidi_Control}]/gu;

/** Text that can hold nothing to mask or to make visible: the most of what is logged. */
const HARMLESS = /^[\w !"#$&'()*+,./;<>?@[\\\]^`{|}~]*$/;

/** Masks before it cuts, so that no part of a secret escapes at the edge. */
export function cleanText(text: string, limit = MAX_TEXT): string {
  if (text.length <= limit && HARMLESS.test(text)) return text;
  const masked = maskUrlSecrets(maskTickets(text));
  const rest = masked.length - limit;
  const kept = rest > 0 ? `${masked.slice(0, limit)}… [${rest} more characters]` : masked;
  return kept.toWellFormed().replace(INVISIBLE, written);
}

/** ESC → the six characters `\u001b`. */
function written(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
