// Owns what of Vault's own words is told: they may echo the request, with all that opens Vault.

const MOST_CHARACTERS = 200;
/** Something that was escaped, encoded, and escaped again still shows. */
const LAYERS = 3;

/**
 * Words on one line, of 200 characters at most, unescaped and decoded, with `…` for each secret that was in them.
 *
 * @param secrets all that the request carried
 */
export function tellable(words: string, secrets: readonly string[]): string {
  // As it is first: unescaping can join the beginning of a secret to what is before it.
  const told = without(plain(without(words, secrets)), secrets.flatMap(written));
  return told.length > MOST_CHARACTERS ? `${told.slice(0, MOST_CHARACTERS - 1)}…` : told;
}

function without(words: string, secrets: readonly string[]): string {
  return secrets
    .filter((secret) => secret !== '')
    .toSorted((one, other) => other.length - one.length)
    .reduce((left, secret) => left.replaceAll(secret, '…'), words);
}

/** As plain text has it; forms write a plus sign for a space. */
function written(secret: string): readonly string[] {
  const read = plain(secret);
  return [read, read.replaceAll(' ', '+')];
}

/** What is the same however JSON and URLs write it. */
function plain(text: string): string {
  let read = text;
  for (let layer = 0; layer < LAYERS; layer += 1) read = decoded(unescaped(read));
  return read.replaceAll(/[\p{C}\s]+/gu, ' ').trim();
}

function unescaped(text: string): string {
  return text.replaceAll(/\\+(?:u([0-9a-f]{4})|[bfnrt])?/gi, (escape, code?: string) => {
    if (code !== undefined) return String.fromCharCode(Number.parseInt(code, 16));
    return escape.endsWith('\\') ? '' : ' ';
  });
}

function decoded(text: string): string {
  return text.replaceAll(/(?:%(?:25)*[0-9a-f]{2})+/gi, (encoded) => {
    const bytes = encoded.replaceAll(/%(?:25)*([0-9a-f]{2})/gi, '$1');
    return Buffer.from(bytes, 'hex').toString();
  });
}
