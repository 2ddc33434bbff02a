const PREFIX = '{cipher}';
const LINE_ENDS = /^[\t\r\n]+|[\t\r\n]+$/g;
const BASE64 = /^[A-Za-z0-9+/]+$/;
/** Spring's symmetric ciphers write it. A form does not change it. */
const HEXADECIMAL = /^(?:[0-9A-Fa-f]{2})+$/;

/**
 * The ciphertext in a submitted text. In a form, a space is read as the `+` it was, and missing base64 padding is added:
 * no ciphertext contains a space or has an invalid length.
 */
export function cipherIn(text: string, isForm: boolean): string {
  if (!isForm) return withoutPrefix(text.trim());
  const whole = withoutPrefix(text.replaceAll(LINE_ENDS, '')).replaceAll(' ', '+');
  const bare = withoutPrefix(text.trim()).replaceAll(' ', '+');
  // A space at an end was a `+` when the base64 is complete only with it.
  return missingPadding(whole) === 0 && missingPadding(bare) !== 0 ? whole : repaired(bare);
}

function withoutPrefix(text: string): string {
  return text.startsWith(PREFIX) ? text.slice(PREFIX.length) : text;
}

function repaired(text: string): string {
  return text + '='.repeat(missingPadding(text) ?? 0);
}

/** Undefined for a text that is no base64, or has an invalid length. */
function missingPadding(text: string): number | undefined {
  const rest = text.slice(text.lastIndexOf('}') + 1);
  if (HEXADECIMAL.test(rest)) return 0;
  if (!BASE64.test(rest) || rest.length % 4 === 1) return undefined;
  return (4 - (rest.length % 4)) % 4;
}
