// Owns mending what forms do to ciphertexts on their way here.

const PREFIX = '{cipher}';
const LINE_ENDS = /^[\t\r\n]+|[\t\r\n]+$/g;
const BASE64 = /^[A-Za-z0-9+/]+$/;
/** Spring's symmetric ciphers write it; nothing is lost of it. */
const HEXADECIMAL = /^(?:[0-9A-Fa-f]{2})+$/;

/**
 * The ciphertext in a submitted text. In a form, the space that `+` became is `+` again, and lost padding of base64 is
 * put back: no ciphertext holds a space, or is of such a length without it.
 */
export function cipherIn(text: string, wasForm: boolean): string {
  if (!wasForm) return withoutPrefix(text.trim());
  const whole = withoutPrefix(text.replaceAll(LINE_ENDS, '')).replaceAll(' ', '+');
  const bare = withoutPrefix(text.trim()).replaceAll(' ', '+');
  // A space at an end was a + where base64 is whole with it alone.
  return missingPadding(whole) === 0 && missingPadding(bare) !== 0 ? whole : repaired(bare);
}

function withoutPrefix(text: string): string {
  return text.startsWith(PREFIX) ? text.slice(PREFIX.length) : text;
}

function repaired(text: string): string {
  return text + '='.repeat(missingPadding(text) ?? 0);
}

/** Of base64; undefined where it is none, or of a length that none has. */
function missingPadding(text: string): number | undefined {
  const rest = text.slice(text.lastIndexOf('}') + 1);
  if (HEXADECIMAL.test(rest)) return 0;
  if (!BASE64.test(rest) || rest.length % 4 === 1) return undefined;
  return (4 - (rest.length % 4)) % 4;
}
