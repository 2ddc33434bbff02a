// Redacts secrets in Vault's messages, which may echo the request in any encoding.

const MAX_CHARACTERS = 200;
/** Text that was escaped, encoded and escaped again is still decoded. */
const MAX_ENCODING_LAYERS = 3;

/**
 * The text on one line, unescaped, decoded and at most 200 characters long, with `…` for each secret.
 *
 * @param secrets all secrets of the request
 */
export function redactSecrets(text: string, secrets: readonly string[]): string {
  // The raw text first: unescaping can join the beginning of a secret to the text before it.
  const redacted = replaceSecrets(
    decodeFully(replaceSecrets(text, secrets)),
    secrets.flatMap(spellingsOf),
  );
  return redacted.length > MAX_CHARACTERS ? `${redacted.slice(0, MAX_CHARACTERS - 1)}…` : redacted;
}

function replaceSecrets(text: string, secrets: readonly string[]): string {
  return secrets
    .filter((secret) => secret !== '')
    .toSorted((one, other) => other.length - one.length)
    .reduce((left, secret) => left.replaceAll(secret, '…'), text);
}

/** Decoded, and with the plus sign that forms write for a space. */
function spellingsOf(secret: string): readonly string[] {
  const decoded = decodeFully(secret);
  return [decoded, decoded.replaceAll(' ', '+')];
}

/** Undoes JSON escapes and URL encoding, whichever a text has. */
function decodeFully(text: string): string {
  let decoded = text;
  for (let layer = 0; layer < MAX_ENCODING_LAYERS; layer += 1) {
    decoded = decodeUrl(unescapeJson(decoded));
  }
  return decoded.replaceAll(/[\p{C}\s]+/gu, ' ').trim();
}

function unescapeJson(text: string): string {
  return text.replaceAll(/\\+(?:u([0-9a-f]{4})|[bfnrt])?/gi, (escape, code?: string) => {
    if (code !== undefined) return String.fromCharCode(Number.parseInt(code, 16));
    return escape.endsWith('\\') ? '' : ' ';
  });
}

function decodeUrl(text: string): string {
  return text.replaceAll(/(?:%(?:25)*[0-9a-f]{2})+/gi, (encoded) => {
    const bytes = encoded.replaceAll(/%(?:25)*([0-9a-f]{2})/gi, '$1');
    return Buffer.from(bytes, 'hex').toString();
  });
}
