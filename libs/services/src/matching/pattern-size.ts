// Says from the text of a pattern alone what compiling it takes, which RE2 finds out by doing it. What
// is a pattern is not decided here: any text gets an answer, in time linear in its length.

/**
 * One item of a pattern, or one character: something matches everywhere. Look-around, which RE2 refuses, is an item too.
 * Captures the text of `\Q…\E`, and the bounds of a quantifier in braces.
 */
export const PATTERN_TOKEN = new RegExp(
  [
    /\\Q([^]*?)(?:\\E|$)/,
    /\\(?:[pP](?:\{\^?\w+\}|\w)|x(?:\{\w+\}|\w\w)|[^])/,
    /\[\^?\]?(?:\[:\^?\w+:\]|\\[^]?|[^\]\\])*(?:\]|$)/,
    /\((?:\?(?:<?[=!]|>|P?<\w+>|[A-Za-z-]*[:)]))?/,
    /(?:[*+?]|\{(0|[1-9]\d{0,3})(?:,(0|[1-9]\d{0,3})?)?\})\??/,
    /[^]/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'gu',
);
const FLAGS = /^\(.*\)$/;
const MAY_NAME_SETS = /^(?:\[|\\p)/i;
const LARGE_SET = /\\p|-(?:\\x\{|[^ -~])/giu;

/** A group, or the whole pattern, as far as it is read. */
interface Sequence {
  /** Items, each as often as it is repeated. */
  size: number;
  /** How many of them a quantifier behind them repeats. */
  last: number;
}

/**
 * How many items a pattern has once its repeats are written out, as RE2 does before it counts.
 *
 * The compiled program has at most two instructions an item, and three more. It has fewer than items
 * where RE2 merges some: of `(?:a|b|c){100}` it makes `[a-c]{100}`.
 */
export function writtenOutSize(pattern: string): number {
  const outer: Sequence[] = [];
  let inner: Sequence = { size: 0, last: 0 };
  for (const [token, quoted, least, most] of pattern.matchAll(PATTERN_TOKEN)) {
    if (quoted !== undefined) {
      for (const character of quoted) append(inner, character.length);
    } else if (/^[*+?]/.test(token)) {
      repeat(inner, 1);
    } else if (least !== undefined) {
      repeat(inner, Math.max(1, Number(most ?? least)));
    } else if (token === ')') {
      const { size } = inner;
      inner = outer.pop() ?? { size: 0, last: 0 };
      append(inner, size);
    } else if (!token.startsWith('(')) {
      append(inner, 1);
    } else if (!FLAGS.test(token)) {
      outer.push(inner);
      inner = { size: token.endsWith(':') ? 0 : 2, last: 0 };
    }
  }
  return outer.reduce((sum, { size }) => sum + size, inner.size);
}

/**
 * How many sets of characters a pattern names that may be large: Unicode classes such as `\pL`, and
 * ranges that end beyond ASCII. Finding the other case of what is in one takes RE2 milliseconds.
 */
export function largeSets(pattern: string): number {
  return Array.from(pattern.matchAll(PATTERN_TOKEN))
    .filter(([token]) => MAY_NAME_SETS.test(token))
    .reduce((count, [token]) => count + (token.match(LARGE_SET)?.length ?? 0), 0);
}

function append(sequence: Sequence, size: number): void {
  sequence.size += size;
  sequence.last = size;
}

/** Counts one for the quantifier itself. No number becomes infinite, however deep repeats are nested. */
function repeat(sequence: Sequence, times: number): void {
  const last = Math.min(sequence.last * times + 1, Number.MAX_SAFE_INTEGER);
  sequence.size += Math.max(0, last - sequence.last);
  sequence.last = last;
}
