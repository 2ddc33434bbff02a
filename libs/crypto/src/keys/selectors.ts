// Owns the selectors in front of texts: `{key:old}`, and `{plain}` before a text that looks like one.
import { CryptoError } from '../crypto-error.js';

const SELECTOR = /\{([A-Za-z][A-Za-z0-9_-]{0,63}):([^{}]*)\}/y;
const PLAIN = '{plain}';
/** Spring's clients send them; which application asks is known from elsewhere. */
const PASSED_OVER: ReadonlySet<string> = new Set(['name', 'profiles']);

/** What the selectors in front of a text say, and the text without them. */
export interface Selected<T> {
  /** The alias in `{key:…}`; of several the last. */
  readonly alias: string | undefined;
  readonly rest: T;
}

/**
 * Takes the selectors off a text.
 *
 * @throws CryptoError SELECTOR_UNKNOWN for another than `key`, `name` and `profiles`, naming it
 */
export function selectorsOf(text: string): Selected<string> {
  const { alias, length } = leadingSelectors(text);
  return { alias, rest: text.slice(length) };
}

/** As {@link selectorsOf}, of bytes that need not be text; those of the rest stay what they are. */
export function selectorsOfBytes(bytes: Buffer): Selected<Buffer> {
  const { alias, length } = leadingSelectors(bytes.toString('latin1'));
  const name = alias === undefined ? undefined : Buffer.from(alias, 'latin1').toString();
  return { alias: name, rest: bytes.subarray(length) };
}

function leadingSelectors(text: string): { alias: string | undefined; length: number } {
  let alias: string | undefined;
  let length = 0;
  for (;;) {
    SELECTOR.lastIndex = length;
    const [whole = '', name = '', value = ''] = SELECTOR.exec(text) ?? [];
    if (whole === '') break;
    if (name === 'key') alias = value;
    else if (!PASSED_OVER.has(name)) throw unknownSelector(name);
    length += whole.length;
  }
  return { alias, length: text.startsWith(PLAIN, length) ? length + PLAIN.length : length };
}

function unknownSelector(name: string): CryptoError {
  const message = `unknown selector {${name}:…}: write {plain} before a text that starts so`;
  return new CryptoError('SELECTOR_UNKNOWN', message);
}
