// Reads a pattern of java.util.regex item by item, each with its text for RE2.
import {
  classText,
  characterText,
  type CodePoints,
  hasKinAlone,
  ignoringCase,
  setOf,
  withoutKin,
} from './code-points.js';
import { classAt } from './java-class.js';
import { escapeAt } from './java-escapes.js';

/** Why an item may be written otherwise. */
export type RewriteRule =
  | 'a character class is written with its members'
  | 'a character is written by its number in hexadecimal'
  | 'a whole match ends at the end of the text'
  | 'a whole match begins at the start of the text'
  | 'a line break is written as its characters'
  | 'RE2 ends lines as the flag d says'
  | 'a possessive quantifier is written as a plain one: what follows cannot match earlier'
  | 'an atomic group is written as a plain one: it matches in one way';

export interface JavaItem {
  readonly end: number;
  /** For RE2. What neither of our rules covers is left as it is. */
  readonly text: string;
  /** What it matches, where that is always one character. */
  readonly set?: CodePoints | undefined;
  readonly rule?: RewriteRule;
}

/** Where the letter case counts: everywhere, or nowhere. */
export interface ReadingOptions {
  readonly ignoreCase: boolean;
}

const OPENING = /\((?:\?(?:<?[=!]|>|<\w+>|(?<flags>[A-Za-z-]*)[:)]))?/y;
const QUOTED = /\\Q[^]*?(?:\\E|$)/y;
const META = /^[.*+?()|^$\]{}]$/;
const EVERY_CHARACTER = setOf([0, 0x10ffff]);
const ASSERTIONS = new Map<string, Pick<JavaItem, 'text' | 'rule'>>([
  ['\\Z', { text: '\\z', rule: 'a whole match ends at the end of the text' }],
  ['\\G', { text: '\\A', rule: 'a whole match begins at the start of the text' }],
  [
    '\\R',
    {
      text: '(?:\\r\\n|[\\n-\\r\\x{85}\\x{2028}\\x{2029}])',
      rule: 'a line break is written as its characters',
    },
  ],
]);

/** The item at a position before the end: a character, a class, an escape, quoted text, the start of a group, or a sign. */
export function itemAt(text: string, at: number, options: ReadingOptions): JavaItem {
  const character = String.fromCodePoint(text.codePointAt(at) ?? 0);
  if (character === '[') return bracketAt(text, at, options);
  if (character === '\\') return escapedAt(text, at, options);
  if (character === '(') return openingAt(text, at);
  const end = at + character.length;
  if (character === '.') return { end, text: character, set: EVERY_CHARACTER };
  if (META.test(character)) return { end, text: character };
  return { end, text: character, set: characterSet(character.codePointAt(0) ?? 0, options) };
}

function bracketAt(text: string, at: number, { ignoreCase }: ReadingOptions): JavaItem {
  const read = classAt(text, at, ignoreCase);
  if (read === undefined) return { end: text.length, text: text.slice(at) };
  const { end, set, isSame } = read;
  const isNegated = text[at + 1] === '^';
  const hasKin = ignoreCase && !isNegated && set !== undefined && hasKinAlone(set);
  if (set === undefined || (isSame && !hasKin)) return { end, text: text.slice(at, end), set };
  const rule = 'a character class is written with its members';
  return { end, text: classText(ignoreCase ? withoutKin(set) : set), set, rule };
}

function escapedAt(text: string, at: number, options: ReadingOptions): JavaItem {
  QUOTED.lastIndex = at;
  const quoted = QUOTED.exec(text)?.[0];
  if (quoted !== undefined) return { end: at + quoted.length, text: quoted };
  const assertion = ASSERTIONS.get(text.slice(at, at + 2));
  if (assertion !== undefined) return { end: at + 2, ...assertion };
  const escape = escapeAt(text, at);
  if (escape === undefined) return { end: text.length, text: text.slice(at) };
  const { end, set, isSame, isCharacter } = escape;
  const folded = set && options.ignoreCase ? ignoringCase(set) : set;
  if (isSame || (set === undefined && escape.text === text.slice(at, end))) {
    return { end, text: escape.text, set: folded };
  }
  const first = set?.[0]?.[0] ?? 0;
  if (isCharacter) {
    const rule = 'a character is written by its number in hexadecimal';
    return { end, text: characterText(first), set: folded, rule };
  }
  const members = set && options.ignoreCase ? withoutKin(set) : set;
  const written = members === undefined ? escape.text : classText(members);
  return { end, text: written, set, rule: 'a character class is written with its members' };
}

function openingAt(text: string, at: number): JavaItem {
  OPENING.lastIndex = at;
  const match = OPENING.exec(text);
  const [opening = '('] = match ?? [];
  const end = at + opening.length;
  const flags = match?.groups?.['flags'];
  // Java refuses flags that are repeated. Without them, the item before would be.
  const isRepeated = opening.endsWith(')') && /^[*+?{]/.test(text.slice(end));
  if (!flags?.includes('d') || isRepeated) return { end, text: opening };
  const kept = flags.replaceAll('d', '').replace(/^-$|-$/, '');
  const isEmpty = kept === '' && opening.endsWith(')');
  const written = isEmpty ? '' : `(?${kept}${opening.at(-1)}`;
  return { end, text: written, rule: 'RE2 ends lines as the flag d says' };
}

function characterSet(codePoint: number, { ignoreCase }: ReadingOptions): CodePoints {
  const set = setOf([codePoint, codePoint]);
  return ignoreCase ? ignoringCase(set) : set;
}
