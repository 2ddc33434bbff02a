// Finds syntax that Java and RE2 read differently, and helps to rewrite refused patterns: sample URLs and replacement patterns.
import { compilePattern } from '../matching/compiled-pattern.js';
import { PATTERN_TOKEN } from '../matching/pattern-size.js';
import { servicePattern } from '../matching/service-pattern.js';
import { ServiceError } from '../service-error.js';

const MAX_SAMPLE_LENGTH = 2_000;
/** An escape; an octal number or a back-reference counts with two digits. */
const ESCAPE = /\\(?:\d\d|[^])/gu;
/** In a class. `\v` is a class in Java. */
const OTHER_ESCAPE = /^\\(?:\d\d|v)/;
/** `U` is another flag in Java. */
const OTHER_FLAGS = /^\(\?[A-Za-z-]*U/;
/** RE2 regards them as another case of `s` and `k`, Java does not. */
const KIN = /[\u017f\u212a]|\\x\{0*(?:17[fF]|212[aA])\}/;
const LOOK_AROUND = /^\(\?<?[=!]$/;
const BACK_REFERENCE = /^\\[1-9k]$/;
const FLAGS = /^\(\?[A-Za-z-]*\)$/;
/** Anchors and back-references, which match no character of their own. */
const EMPTY = /^(?:[\^$]|\\[AbBGzZ1-9k])$/;
const ESCAPED_PUNCTUATION = /^\\([!-/:-@[-`{-~])$/;
/** The sample of a character class is the first of these that it contains. */
const CANDIDATES = [
  'x',
  '0',
  ...Array.from({ length: 95 }, (_, at) => String.fromCharCode(32 + at)),
];

/** Whether a pattern has look-ahead, look-behind or a back-reference. */
export function hasLookAround(pattern: string): boolean {
  return tokensOf(pattern).some(
    ({ token }) => LOOK_AROUND.test(token) || BACK_REFERENCE.test(token),
  );
}

/** The first syntax with different meanings in Java and RE2; undefined where there is none. */
export function javaSyntaxIn(pattern: string): string | undefined {
  let escaped: string | undefined;
  let empty: string | undefined;
  for (const { token, quoted, least } of tokensOf(pattern)) {
    if (empty !== undefined && least !== undefined) return empty + token;
    empty = FLAGS.test(token) || quoted === '' ? token : undefined;
    if (!token.startsWith('[^') && KIN.test(token)) return token;
    if (escaped !== undefined && /^\d/.test(token)) return escaped + token;
    escaped = /^\\\d$/.test(token) ? token : undefined;
    if (OTHER_FLAGS.test(token) || token === '\\v') return token;
    if (quoted !== undefined || !token.startsWith('[')) continue;
    const escape = token.match(ESCAPE)?.find((each) => OTHER_ESCAPE.test(each));
    if (escape !== undefined) return escape;
    const bare = token.slice(1).replaceAll(ESCAPE, ' ');
    if (bare.includes('&&')) return '&&';
    if (bare.includes('[')) return '[ in a class';
  }
  return undefined;
}

/**
 * URLs that the pattern is likely to match: one with all optional items, one without them. Ignores look-around, and uses
 * the first of several alternatives.
 */
export function sampleUrls(pattern: string): readonly string[] {
  const samples = [true, false].map((optional) => sampleUrl(pattern, optional));
  return [...new Set(samples)].filter((sample) => sample !== '');
}

/** Patterns that RE2 accepts, to replace one with a negative look-ahead. */
export interface SplitPattern {
  /** Matches the URLs that the look-ahead excludes, for a disabled service with a lower order. */
  readonly excluded: string;
  /** The pattern without the look-ahead. */
  readonly remaining: string;
  /** False where `excluded` may match URLs that the look-ahead does not exclude, or those of other services. */
  readonly isExact: boolean;
}

/** Undefined unless the pattern has exactly one look-around: a negative look-ahead outside groups and alternatives. */
export function splitLookAhead(pattern: string): SplitPattern | undefined {
  let depth = 0;
  let start: number | undefined;
  let end: number | undefined;
  for (const { token, at } of tokensOf(pattern)) {
    if (depth === 0 && token === '|') return undefined;
    if (LOOK_AROUND.test(token)) {
      if (token !== '(?!' || depth > 0 || start !== undefined) return undefined;
      start = at;
    }
    if (token.startsWith('(') && !FLAGS.test(token)) depth += 1;
    if (token === ')') depth -= 1;
    if (depth === 0 && start !== undefined) end ??= at + 1;
  }
  if (start === undefined || end === undefined) return undefined;
  const before = pattern.slice(0, start);
  const inner = pattern.slice(start + '(?!'.length, end - 1);
  const excluded = `${before}${inner.includes('|') ? `(?:${inner})` : inner}.*`;
  const after = pattern.slice(end);
  const remaining = before + after;
  if (!isPattern(excluded) || !isPattern(remaining)) return undefined;
  return { excluded, remaining, isExact: isLiteral(before) && /^\.\*\$?$/.test(after) };
}

/** Whether the pattern matches one text alone, so that the following item has a fixed position. */
function isLiteral(pattern: string): boolean {
  return tokensOf(pattern).every(
    ({ token }) => ESCAPED_PUNCTUATION.test(token) || !/^[\\.*+?{}()|[\]$]/.test(token),
  );
}

interface Token {
  readonly token: string;
  readonly at: number;
  /** The text of `\Q…\E`. */
  readonly quoted: string | undefined;
  /** The minimum of a quantifier. */
  readonly least: number | undefined;
}

function tokensOf(pattern: string): readonly Token[] {
  return Array.from(pattern.matchAll(PATTERN_TOKEN), ({ 0: token, 1: quoted, 2: count, index }) => {
    const isQuantifier = count !== undefined || /^[*+?]/.test(token);
    const least = token.startsWith('+') ? 1 : Number(count ?? 0);
    return { token, at: index, quoted, least: isQuantifier ? least : undefined };
  });
}

/** The sample of a group or of the whole pattern, as far as it has been read. */
interface Sequence {
  readonly isLookAround: boolean;
  text: string;
  /** The start of the last item. */
  last: number;
  /** Whether its first alternative has ended. */
  ended: boolean;
}

function sampleUrl(pattern: string, optional: boolean): string {
  const outer: Sequence[] = [];
  let inner = sequence();
  for (const { token, quoted, least } of tokensOf(pattern)) {
    if (quoted !== undefined) append(inner, quoted);
    else if (least !== undefined) repeat(inner, optional ? Math.max(1, least) : least);
    else if (token === '|') inner.ended = true;
    else if (token === ')') {
      const { text, isLookAround } = inner;
      inner = outer.pop() ?? sequence();
      append(inner, isLookAround ? '' : text);
    } else if (!token.startsWith('(')) append(inner, characterOf(token));
    else if (!FLAGS.test(token)) {
      outer.push(inner);
      inner = sequence(LOOK_AROUND.test(token));
    }
  }
  return inner.text;
}

function sequence(isLookAround = false): Sequence {
  return { isLookAround, text: '', last: 0, ended: false };
}

function append(to: Sequence, text: string): void {
  if (to.ended) return;
  to.last = to.text.length;
  if (to.last + text.length <= MAX_SAMPLE_LENGTH) to.text += text;
}

function repeat(within: Sequence, times: number): void {
  if (within.ended) return;
  const item = within.text.slice(within.last);
  const maxTimes = Math.floor((MAX_SAMPLE_LENGTH - within.last) / Math.max(1, item.length));
  within.text = within.text.slice(0, within.last) + item.repeat(Math.min(times, maxTimes));
}

function characterOf(token: string): string {
  if (EMPTY.test(token)) return '';
  const punctuation = ESCAPED_PUNCTUATION.exec(token)?.[1];
  if (punctuation !== undefined) return punctuation;
  if (!/^[\\[.]/.test(token)) return token;
  return firstMatch(token) ?? '';
}

/** Compiles the token once: a pattern may have hundreds of classes. */
function firstMatch(token: string): string | undefined {
  try {
    const pattern = compilePattern(token, { ignoreCase: false });
    return CANDIDATES.find((character) => pattern.matcher(character).matches());
  } catch (error) {
    if (error instanceof ServiceError) return undefined;
    throw error;
  }
}

/** Whether RE2 accepts the pattern, and reads it as Java does. */
function isPattern(text: string): boolean {
  try {
    return servicePattern(text) !== undefined && !javaSyntaxIn(text);
  } catch (error) {
    if (error instanceof ServiceError) return false;
    throw error;
  }
}
