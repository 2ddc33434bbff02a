// Reads a character class of java.util.regex, which may have classes in it and intersections.
import {
  type CodePoints,
  complementOf,
  ignoringCase,
  intersectionOf,
  setOf,
  unionOf,
} from './code-points.js';
import { escapeAt } from './java-escapes.js';

export interface JavaClass {
  readonly end: number;
  /** Undefined where the members are unknown, or versions of Java differ. */
  readonly set: CodePoints | undefined;
  /** Whether RE2 reads the text as Java does. */
  readonly isSame: boolean;
}

/** The entries of a class between two `&&`. */
interface Operand {
  readonly sets: (CodePoints | undefined)[];
  /** Of those, classes in brackets. */
  nested: number;
}

interface Entry {
  readonly end: number;
  readonly set: CodePoints | undefined;
  readonly isSame: boolean;
  /** The character, where it is one; it may begin a range. */
  readonly character: number | undefined;
}

const QUOTE = /\\Q([^]*?)(?:\\E|$)/y;
/** A class of RE2, and of POSIX, which Java reads as the letters of its name. */
const NAMED = /\[:\^?\w+:\]/y;

/** The class that begins at a bracket; undefined where it does not end. */
export function classAt(text: string, at: number, ignoreCase: boolean): JavaClass | undefined {
  const isNegated = text[at + 1] === '^';
  const start = at + (isNegated ? 2 : 1);
  const operands: Operand[] = [{ sets: [], nested: 0 }];
  let isSame = true;
  for (let next = start; next < text.length;) {
    const operand = operands.at(-1) as Operand;
    if (text[next] === ']' && next > start) {
      return { end: next + 1, set: membersOf(operands, isNegated), isSame };
    }
    if (text.startsWith('&&', next)) {
      // Java reads a third one in ways of its own.
      operands.push({ sets: text[next + 2] === '&' ? [undefined] : [], nested: 0 });
      isSame = false;
      next += 2;
    } else if (text[next] === '[') {
      const inner = classAt(text, next, ignoreCase);
      if (inner === undefined) return undefined;
      operand.nested += 1;
      operand.sets.push(isNamed(text, next) ? undefined : inner.set);
      isSame = false;
      next = inner.end;
    } else {
      const entry = rangeAt(text, next);
      if (entry === undefined) return undefined;
      operand.sets.push(entry.set && ignoreCase ? ignoringCase(entry.set) : entry.set);
      isSame &&= entry.isSame;
      next = entry.end;
    }
  }
  return undefined;
}

/** Java 8 and later versions differ where `^` stands before a class or an intersection. */
function membersOf(operands: readonly Operand[], isNegated: boolean): CodePoints | undefined {
  const isPlain = operands.every(({ nested }) => nested === 0) && operands.length === 1;
  if (isNegated && !isPlain) return undefined;
  const sets = operands.map(({ sets: entries, nested }) => {
    const isMixed = operands.length > 1 && nested > 0 && entries.length > 1;
    if (isMixed || entries.length === 0 || entries.includes(undefined)) return undefined;
    return unionOf(entries.flatMap((entry) => (entry === undefined ? [] : [entry])));
  });
  const known = sets.flatMap((set) => (set === undefined ? [] : [set]));
  if (known.length < sets.length) return undefined;
  return isNegated ? complementOf(unionOf(known)) : intersectionOf(known);
}

/** A character, an escape, a quoted text, or a range of characters. */
function rangeAt(text: string, at: number): Entry | undefined {
  const first = entryAt(text, at);
  if (first?.character === undefined || text[first.end] !== '-') return first;
  const next = text[first.end + 1];
  if (next === undefined || next === ']') return first;
  const last = next === '[' || next === '&' ? undefined : entryAt(text, first.end + 1);
  if (last?.character === undefined || last.character < first.character) return undefined;
  return {
    end: last.end,
    set: setOf([first.character, last.character]),
    isSame: first.isSame && last.isSame,
    character: undefined,
  };
}

function entryAt(text: string, at: number): Entry | undefined {
  if (text[at] !== '\\') {
    const character = text.codePointAt(at) ?? 0;
    const end = at + String.fromCodePoint(character).length;
    return { end, set: setOf([character, character]), isSame: true, character };
  }
  QUOTE.lastIndex = at;
  const quoted = QUOTE.exec(text)?.[1];
  if (quoted !== undefined) {
    const characters = Array.from(quoted, (each) => each.codePointAt(0) ?? 0);
    // Java reads a class of no character at all in ways of its own.
    const isEmpty = characters.length === 0;
    const set = isEmpty ? undefined : setOf(...characters.map((each) => [each, each] as const));
    return { end: QUOTE.lastIndex, set, isSame: false, character: undefined };
  }
  const escape = escapeAt(text, at);
  if (escape === undefined) return undefined;
  const { end, isSame, isCharacter } = escape;
  // Java reads it as one character, a vertical tab, where a range may begin.
  const set = text.startsWith(String.raw`\v-`, at) ? undefined : escape.set;
  return { end, set, isSame, character: isCharacter ? set?.[0]?.[0] : undefined };
}

function isNamed(text: string, at: number): boolean {
  NAMED.lastIndex = at;
  return NAMED.test(text);
}
