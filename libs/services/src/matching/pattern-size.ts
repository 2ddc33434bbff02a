// Estimates the cost of compiling a pattern from its text alone, in linear time. The text need not be a valid pattern.

/**
 * One item of a pattern, or one character: it matches at every position. Look-around, which RE2 refuses, is an item too.
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

/** A group or the whole pattern, as far as it has been read. */
interface Sequence {
  /** Number of items, with their repetitions. */
  size: number;
  /** Number of items that a following quantifier repeats. */
  last: number;
}

/**
 * The number of items of a pattern after the expansion of its repetitions, which RE2 does before it compiles.
 *
 * The compiled program has at most two instructions per item, and three more. It is smaller where RE2 merges items: it
 * compiles `(?:a|b|c){100}` as `[a-c]{100}`.
 */
export function expandedSize(pattern: string): number {
  const outer: Sequence[] = [];
  let inner: Sequence = { size: 0, last: 0 };
  for (const [token, quoted, min, max] of pattern.matchAll(PATTERN_TOKEN)) {
    if (quoted !== undefined) {
      for (const character of quoted) append(inner, character.length);
    } else if (/^[*+?]/.test(token)) {
      repeat(inner, 1);
    } else if (min !== undefined) {
      repeat(inner, Math.max(1, Number(max ?? min)));
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
 * The number of character sets in a pattern that may be large: Unicode classes such as `\pL`, and ranges that end beyond
 * ASCII. RE2 takes milliseconds for the case folding of each.
 */
export function countLargeSets(pattern: string): number {
  return Array.from(pattern.matchAll(PATTERN_TOKEN))
    .filter(([token]) => MAY_NAME_SETS.test(token))
    .reduce((count, [token]) => count + (token.match(LARGE_SET)?.length ?? 0), 0);
}

function append(sequence: Sequence, size: number): void {
  sequence.size += size;
  sequence.last = size;
}

/** Counts one for the quantifier itself. The size stays finite, however deep repetitions are nested. */
function repeat(sequence: Sequence, times: number): void {
  const last = Math.min(sequence.last * times + 1, Number.MAX_SAFE_INTEGER);
  sequence.size += Math.max(0, last - sequence.last);
  sequence.last = last;
}
