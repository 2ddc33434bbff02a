// The pattern of a service. RE2 decides what it matches, except for patterns that are short lists of texts.
import { compilePattern } from './compiled-pattern.js';

/** Longer service URLs never match. */
export const MAX_URL_LENGTH = 8_192;

export interface ServicePattern {
  /** The maximum cost of matching a URL of this length, in steps of RE2. */
  cost(length: number): number;
  /** Whether the pattern matches the whole URL, without regard to case. `folded` is the URL after `foldCase`. */
  matches(url: string, folded: string): boolean;
}

/**
 * Compiles a pattern. A pattern that amounts to a short list of texts, as most do (a scheme, a host, perhaps a port or a
 * path, perhaps with `.*` at the end), compares texts instead: the same result in a fraction of RE2's memory.
 *
 * @throws {ServiceError} `SERVICE_INVALID` with RE2's reason, or because it is too large
 */
export function servicePattern(text: string): ServicePattern {
  const texts = literalTexts(text);
  if (texts !== undefined) {
    return { cost: () => 0, matches: (_, folded) => matchesAny(texts, folded) };
  }
  const pattern = compilePattern(text, { ignoreCase: true });
  return {
    cost: (length) => pattern.programSize() * length,
    // A Matcher instead of testExact, whose automaton takes 20 kB per pattern and 0.1 ms to start.
    matches: (url) => pattern.matcher(url).matches(),
  };
}

interface LiteralText {
  /** After `foldCase`. */
  readonly text: string;
  /** Whether any characters but line feeds may follow. */
  readonly isPrefix: boolean;
}

const MAX_TEXTS = 16;
const PRINTABLE_ASCII = /^[ -~]*$/;
/** A plain or an escaped character. */
const CHARACTER = /(?:([^\\.+*?()[\]{}|^$])|\\([!-/:-@[-`{-~]))(\??)(?![?*+{])/y;
/** A group without inner groups. */
const GROUP = /\((?:\?:)?((?:[^\\()[\]]|\\[^|\\])*)\)(\??)(?![?*+{])/y;

const EMPTY: LiteralText = { text: '', isPrefix: false };

/** The texts that a valid pattern lists; undefined for a pattern that is more than a list. */
export function literalTexts(pattern: string): readonly LiteralText[] | undefined {
  if (!PRINTABLE_ASCII.test(pattern)) return undefined;
  return expand(pattern.replace(/^\^/, '').replace(/(?<!\\)\$$/, ''));
}

/**
 * Texts, after `foldCase`, of which every match of the pattern begins with one. The empty text where nothing is known.
 * @param pattern valid, without `|` outside groups
 */
export function leadingTexts(pattern: string): readonly string[] {
  const start = pattern.replace(/^\(\?i\)/, '').replace(/^\^/, '');
  let texts: readonly string[] = [''];
  for (let at = 0; at < start.length;) {
    const item = itemAt(start, at);
    if (item === undefined || item.texts.some(({ isPrefix }) => isPrefix)) return texts;
    const longer = texts.flatMap((text) => item.texts.map((next) => text + next.text));
    if (longer.length > MAX_TEXTS) return texts;
    texts = longer;
    at = item.end;
  }
  return texts;
}

function matchesAny(texts: readonly LiteralText[], folded: string): boolean {
  return texts.some(({ text, isPrefix }) =>
    isPrefix ? folded.startsWith(text) && !folded.includes('\n', text.length) : folded === text,
  );
}

function expand(pattern: string): readonly LiteralText[] | undefined {
  let texts: readonly LiteralText[] = [EMPTY];
  for (let at = 0; at < pattern.length;) {
    const item = itemAt(pattern, at);
    const hasPrefix = texts.some(({ isPrefix }) => isPrefix);
    if (item === undefined || hasPrefix) return undefined;
    texts = texts.flatMap(({ text }) =>
      item.texts.map((next) => ({ text: text + next.text, isPrefix: next.isPrefix })),
    );
    if (texts.length > MAX_TEXTS) return undefined;
    at = item.end;
  }
  return texts;
}

interface Item {
  readonly texts: readonly LiteralText[];
  readonly end: number;
}

function itemAt(pattern: string, at: number): Item | undefined {
  if (pattern.startsWith('.*', at)) {
    return { texts: [{ text: '', isPrefix: true }], end: at + 2 };
  }
  CHARACTER.lastIndex = at;
  const [, plain, escaped, quantifier] = CHARACTER.exec(pattern) ?? [];
  const character = plain ?? escaped;
  if (character !== undefined) {
    const texts = optional([{ text: foldCase(character), isPrefix: false }], quantifier);
    return { texts, end: CHARACTER.lastIndex };
  }
  GROUP.lastIndex = at;
  const [, body, groupQuantifier] = GROUP.exec(pattern) ?? [];
  const texts = body === undefined ? undefined : alternatives(body);
  return texts && { texts: optional(texts, groupQuantifier), end: GROUP.lastIndex };
}

function alternatives(body: string): readonly LiteralText[] | undefined {
  const all = body.split('|').map(expand);
  return all.includes(undefined) ? undefined : all.flatMap((texts) => texts ?? []);
}

function optional(
  texts: readonly LiteralText[],
  quantifier: string | undefined,
): readonly LiteralText[] {
  return quantifier === '?' ? [...texts, EMPTY] : texts;
}

/** The characters other than lower-case letters that RE2 matches as an ASCII letter. */
const FOLDED = /[A-Z\u017f\u212a]/g;

/**
 * The text with every character that RE2 matches as an ASCII letter replaced with that letter in lower case: `A` to `Z`,
 * the long s and the Kelvin sign. The length stays the same.
 */
export function foldCase(text: string): string {
  return text.replace(FOLDED, (letter) => (letter === '\u017f' ? 's' : letter.toLowerCase()));
}
