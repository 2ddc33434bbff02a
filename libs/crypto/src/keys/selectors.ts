// Parses the selectors in front of texts: `{key:old}`, and `{plain}` before a text that looks like one.
import { CryptoError } from '../crypto-error.js';

const SELECTOR = /\{([A-Za-z][A-Za-z0-9_-]{0,63}):([^{}]*)\}/y;
const PLAIN = '{plain}';
/** Spring's clients send them. Keys do not depend on the application here. */
const IGNORED: ReadonlySet<string> = new Set(['name', 'profiles']);

export interface Selected<T> {
  /** The alias in the last `{key:…}`. */
  readonly alias: string | undefined;
  /** The text without selectors. */
  readonly rest: T;
}

/**
 * Separates the selectors from a text.
 *
 * @throws CryptoError SELECTOR_UNKNOWN, naming it, for others than `key`, `name` and `profiles`
 */
export function selectorsOf(text: string): Selected<string> {
  const { alias, length } = requireKnown(leadingSelectors(text));
  return { alias, rest: text.slice(length) };
}

/** As {@link selectorsOf}, but returns the whole text as rest where a selector is unknown: throwing would take longer. */
export function knownSelectorsOf(text: string): Selected<string> {
  const { alias, length, unknown } = leadingSelectors(text);
  return unknown === undefined
    ? { alias, rest: text.slice(length) }
    : { alias: undefined, rest: text };
}

/** As {@link selectorsOf}, for bytes that need not be text. */
export function selectorsOfBytes(bytes: Buffer): Selected<Buffer> {
  const { alias, length } = requireKnown(leadingSelectors(bytes.toString('latin1')));
  const name = alias === undefined ? undefined : Buffer.from(alias, 'latin1').toString();
  return { alias: name, rest: bytes.subarray(length) };
}

interface LeadingSelectors {
  readonly alias: string | undefined;
  /** Of the known selectors, in characters. */
  readonly length: number;
  /** The name of the first unknown selector. */
  readonly unknown: string | undefined;
}

function leadingSelectors(text: string): LeadingSelectors {
  let alias: string | undefined;
  let length = 0;
  for (;;) {
    SELECTOR.lastIndex = length;
    const [whole = '', name = '', value = ''] = SELECTOR.exec(text) ?? [];
    if (whole === '') break;
    if (name === 'key') alias = value;
    else if (!IGNORED.has(name)) return { alias, length, unknown: name };
    length += whole.length;
  }
  if (text.startsWith(PLAIN, length)) length += PLAIN.length;
  return { alias, length, unknown: undefined };
}

function requireKnown(selectors: LeadingSelectors): LeadingSelectors {
  const { unknown } = selectors;
  if (unknown === undefined) return selectors;
  const message = `unknown selector {${unknown}:…}: write {plain} before a text that starts so`;
  throw new CryptoError('SELECTOR_UNKNOWN', message);
}
