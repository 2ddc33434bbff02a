// Escapes of java.util.regex, as the code points that they match.
// @see https://docs.oracle.com/en/java/javase/17/docs/api/java.base/java/util/regex/Pattern.html
import { type CodePoints, complementOf, LINE_BREAKS, setOf, unionOf } from './code-points.js';

const ESCAPE =
  /\\(?:0(?<octal>[0-3][0-7]{2}|[0-7]{1,2})|u(?<unicode>[\dA-Fa-f]{4})|x(?:\{(?<braces>[\dA-Fa-f]{1,6})\}|(?<hex>[\dA-Fa-f]{2}))|c(?<control>[@-_])|(?<sign>[pP])(?:\{(?<name>\w+)\}|(?<letter>[A-Z]))|(?<other>[^]))/uy;

const code = (character: string): number => character.codePointAt(0) ?? 0;
const range = (first: string, last: string) => [code(first), code(last)] as const;

const DIGITS = setOf(range('0', '9'));
const LETTERS = setOf(range('A', 'Z'), range('a', 'z'));
const ALPHANUMERIC = unionOf([DIGITS, LETTERS]);
const SPACES = setOf([9, 13], [32, 32]);
const GRAPHIC = setOf(range('!', '~'));
const HORIZONTAL = setOf(
  [9, 9],
  [32, 32],
  [0xa0, 0xa0],
  [0x1680, 0x1680],
  [0x180e, 0x180e],
  [0x2000, 0x200a],
  [0x202f, 0x202f],
  [0x205f, 0x205f],
  [0x3000, 0x3000],
);

/** By the letter of the escape; the upper-case letter is the complement. */
const CLASSES = new Map<string, CodePoints>([
  ['d', DIGITS],
  ['w', unionOf([ALPHANUMERIC, setOf(range('_', '_'))])],
  ['s', SPACES],
  ['h', HORIZONTAL],
  ['v', LINE_BREAKS],
]);

/** Of ASCII alone. `Lower` and `Upper` are missing: where case is ignored, versions of Java read them differently. */
const POSIX = new Map<string, CodePoints>([
  ['Alpha', LETTERS],
  ['Digit', DIGITS],
  ['Alnum', ALPHANUMERIC],
  ['Punct', setOf(range('!', '/'), range(':', '@'), range('[', '`'), range('{', '~'))],
  ['Graph', GRAPHIC],
  ['Print', setOf(range(' ', '~'))],
  ['Blank', setOf([9, 9], [32, 32])],
  ['Cntrl', setOf([0, 31], [127, 127])],
  ['XDigit', setOf(range('0', '9'), range('A', 'F'), range('a', 'f'))],
  ['Space', SPACES],
  ['ASCII', setOf([0, 127])],
]);

/** Classes by the methods of `java.lang.Character` that are general categories, in RE2's syntax for a class. */
const CATEGORIES = new Map([
  ['javaLetter', 'L'],
  ['IsLetter', 'L'],
  ['javaDigit', 'Nd'],
  ['IsDigit', 'Nd'],
]);

const CONTROLS = new Map([
  ['t', 9],
  ['n', 10],
  ['f', 12],
  ['r', 13],
  ['a', 7],
  ['e', 27],
]);
/** Those that RE2 reads as Java does. */
const SAME = /^\\(?:[dDwWsStnfra]|x|[!-/:-@[-`{-~])/;

export interface Escape {
  readonly end: number;
  readonly text: string;
  /** What it matches; undefined where that is unknown, or no single character. */
  readonly set: CodePoints | undefined;
  /** Whether it is one character, which may begin a range. */
  readonly isCharacter: boolean;
  /** Whether RE2 reads the text as Java does. */
  readonly isSame: boolean;
}

/** The escape at a backslash; undefined at the end of the text. */
export function escapeAt(text: string, at: number): Escape | undefined {
  ESCAPE.lastIndex = at;
  const match = ESCAPE.exec(text);
  if (match === null) return undefined;
  const [found] = match;
  const groups = match.groups ?? {};
  const character = characterOf(groups);
  const set = character === undefined ? classOf(groups) : setOf([character, character]);
  const name = groups['name'] ?? '';
  const isProperty = groups['sign'] !== undefined && set === undefined;
  return {
    end: ESCAPE.lastIndex,
    text: isProperty ? found.replace(name, CATEGORIES.get(name) ?? name) : found,
    set,
    isCharacter: character !== undefined,
    isSame: SAME.test(found) || (isProperty && !CATEGORIES.has(name)),
  };
}

type Groups = Readonly<Record<string, string | undefined>>;

function characterOf({ octal, unicode, braces, hex, control, other }: Groups): number | undefined {
  if (octal !== undefined) return Number.parseInt(octal, 8);
  const digits = unicode ?? braces ?? hex;
  if (digits !== undefined) {
    const number = Number.parseInt(digits, 16);
    const isScalar = number <= 0x10ffff && (number < 0xd800 || number > 0xdfff);
    return isScalar ? number : undefined;
  }
  if (control !== undefined) return code(control) ^ 64;
  if (other === undefined) return undefined;
  return /[!-/:-@[-`{-~ ]/.test(other) ? code(other) : CONTROLS.get(other);
}

function classOf({ sign, name, other }: Groups): CodePoints | undefined {
  if (sign !== undefined) {
    const set = POSIX.get(name ?? '');
    return set !== undefined && sign === 'P' ? complementOf(set) : set;
  }
  const set = CLASSES.get(other?.toLowerCase() ?? '');
  return set !== undefined && other !== other?.toLowerCase() ? complementOf(set) : set;
}
