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
  const { alias, length } = allKnown(leadingSelectors(text));
  return { alias, rest: text.slice(length) };
}

/** As {@link selectorsOf}, but where there is an unknown one all of the text is rest: in hardly more time, since none is thrown. */
export function knownSelectorsOf(text: string): Selected<string> {
  const { alias, length, unknown } = leadingSelectors(text);
  return unknown === undefined
    ? { alias, rest: text.slice(length) }
    : { alias: undefined, rest: text };
}

/** As {@link selectorsOf}, of bytes that need not be text; those of the rest stay what they are. */
export function selectorsOfBytes(bytes: Buffer): Selected<Buffer> {
  const { alias, length } = allKnown(leadingSelectors(bytes.toString('latin1')));
  const name = alias === undefined ? undefined : Buffer.from(alias, 'latin1').toString();
  return { alias: name, rest: bytes.subarray(length) };
}

interface LeadingSelectors {
  readonly alias: string | undefined;
  /** Of the known ones. */
  readonly length: number;
  /** The name of the first that is not. */
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
    else if (!PASSED_OVER.has(name)) return { alias, length, unknown: name };
    length += whole.length;
  }
  if (text.startsWith(PLAIN, length)) length += PLAIN.length;
  return { alias, length, unknown: undefined };
}

function allKnown(selectors: LeadingSelectors): LeadingSelectors {
  const { unknown } = selectors;
  if (unknown === undefined) return selectors;
  const message = `unknown selector {${unknown}:…}: write {plain} before a text that starts so`;
  throw new CryptoError('SELECTOR_UNKNOWN', message);
}
