// Recognises field names whose values are secret.

/** Matched anywhere in a name, without case and separators. */
const SECRET_PARTS =
  /passw(?:or)?d|passphrase|secret|token|authorization|cookie|pgtid|rawheaders|(?:api|private|session|encrypt|encryption|signing|master|shared)key|key(?:material|store)/;

/** Matched as whole words only: `cert` is secret, `concert` is not. */
const SECRET_WORDS: ReadonlySet<string> = new Set(['cert', 'pem', 'pwd', 'pass', 'pgt', 'pin']);

/** Programs use few names, but names from outside are unlimited: so the cache is bounded. */
const MAX_CACHED = 1000;
const MAX_LENGTH = 64;
const cache = new Map<string, boolean>();

/** True if the value must not be logged. */
export function isSecretField(name: string): boolean {
  const known = cache.get(name);
  if (known !== undefined) return known;
  const isSecret = matchesSecret(name);
  if (cache.size < MAX_CACHED && name.length <= MAX_LENGTH) cache.set(name, isSecret);
  return isSecret;
}

function matchesSecret(name: string): boolean {
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/);
  return SECRET_PARTS.test(words.join('')) || words.some((word) => SECRET_WORDS.has(word));
}
