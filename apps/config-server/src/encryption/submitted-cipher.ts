// Owns mending what forms do to ciphertexts on their way here.

const PREFIX = '{cipher}';
const BASE64 = /^[A-Za-z0-9+/]+$/;

/**
 * The ciphertext in a submitted text. In a form, the space that `+` became is `+` again, and lost padding of base64 is
 * put back: no ciphertext holds a space, or is of such a length without it.
 */
export function cipherIn(text: string, wasForm: boolean): string {
  const trimmed = text.trim();
  const bare = trimmed.startsWith(PREFIX) ? trimmed.slice(PREFIX.length) : trimmed;
  return wasForm ? repaired(bare.replaceAll(' ', '+')) : bare;
}

function repaired(text: string): string {
  const start = text.lastIndexOf('}') + 1;
  const isUnpadded = BASE64.test(text.slice(start)) && (text.length - start) % 4 > 1;
  return isUnpadded ? text + '='.repeat(4 - ((text.length - start) % 4)) : text;
}
