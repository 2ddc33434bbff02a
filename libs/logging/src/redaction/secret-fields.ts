// Owns which names of fields promise a secret.

/** Telling anywhere in a name, once case and separators are gone. */
const TELLING =
  /passw(?:or)?d|passphrase|secret|token|authorization|cookie|pgtid|rawheaders|(?:api|private|session|encrypt|encryption|signing|master|shared)key|key(?:material|store)/;

/** Telling only as whole words: `cert` is a secret claim in a form, `concert` is none. */
const TELLING_WORDS: ReadonlySet<string> = new Set(['cert', 'pem', 'pwd', 'pass', 'pgt', 'pin']);

/** Programs use few names, over and over. The bounds are for those that come from outside. */
const MAX_REMEMBERED = 1000;
const MAX_LENGTH = 64;
const remembered = new Map<string, boolean>();

/** True where the value must not be logged, whatever it is. */
export function isSecretField(name: string): boolean {
  const known = remembered.get(name);
  if (known !== undefined) return known;
  const isSecret = tellsSecret(name);
  if (remembered.size < MAX_REMEMBERED && name.length <= MAX_LENGTH) remembered.set(name, isSecret);
  return isSecret;
}

function tellsSecret(name: string): boolean {
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/);
  return TELLING.test(words.join('')) || words.some((word) => TELLING_WORDS.has(word));
}
