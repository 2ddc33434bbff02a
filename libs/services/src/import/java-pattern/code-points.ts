// Sets of code points, to write the character classes of Java without nesting.

/** Ranges with both ends included, sorted, neither overlapping nor adjacent. */
export type CodePoints = readonly (readonly [first: number, last: number])[];

const LAST = 0x10ffff;

export const LINE_BREAKS: CodePoints = setOf([10, 13], [0x85, 0x85], [0x2028, 0x2029]);

export function setOf(...ranges: readonly (readonly [number, number])[]): CodePoints {
  const merged: [number, number][] = [];
  for (const [first, last] of ranges.toSorted(([one], [other]) => one - other)) {
    const before = merged.at(-1);
    if (before !== undefined && first <= before[1] + 1) before[1] = Math.max(before[1], last);
    else merged.push([first, last]);
  }
  return merged;
}

export function unionOf(sets: readonly CodePoints[]): CodePoints {
  return setOf(...sets.flat());
}

export function complementOf(set: CodePoints): CodePoints {
  const starts = [0, ...set.map(([, last]) => last + 1)];
  const ends = [...set.map(([first]) => first - 1), LAST];
  const gaps = starts.map((start, at) => [start, ends[at] ?? LAST] as const);
  return gaps.filter(([start, end]) => start <= end);
}

export function intersectionOf(sets: readonly CodePoints[]): CodePoints {
  return complementOf(unionOf(sets.map(complementOf)));
}

export function areDisjoint(one: CodePoints, other: CodePoints): boolean {
  return intersectionOf([one, other]).length === 0;
}

const CASE_BIT = 0x20;

/** The set with both cases of its ASCII letters: all that Java regards where it ignores case, unless it is told otherwise. */
export function ignoringCase(set: CodePoints): CodePoints {
  const upper = lettersIn(set, 0x41).map(([first, last]) => [first + CASE_BIT, last + CASE_BIT]);
  const lower = lettersIn(set, 0x61).map(([first, last]) => [first - CASE_BIT, last - CASE_BIT]);
  return setOf(...set, ...([...upper, ...lower] as [number, number][]));
}

function lettersIn(set: CodePoints, first: number): CodePoints {
  return intersectionOf([set, [[first, first + 25]]]);
}

/** The long s and the Kelvin sign, with the letters of which RE2 regards them as another case. Java does not. */
const KIN = [
  [0x17f, 0x73],
  [0x212a, 0x6b],
] as const;

function kinAlone(set: CodePoints): CodePoints {
  const isIn = (codePoint: number): boolean => !areDisjoint(set, [[codePoint, codePoint]]);
  return KIN.flatMap(([sign, letter]) =>
    isIn(sign) && !isIn(letter) ? [[sign, sign] as const] : [],
  );
}

/** Whether it has a sign without its letter, which RE2 would match too where it ignores case. */
export function hasKinAlone(set: CodePoints): boolean {
  return kinAlone(set).length > 0;
}

/** The set for a class of RE2 that ignores case: without such a sign, unless the class is negated. */
export function withoutKin(set: CodePoints): CodePoints {
  return isWrittenNegated(set) ? set : intersectionOf([set, complementOf(kinAlone(set))]);
}

function isWrittenNegated(set: CodePoints): boolean {
  return set.at(-1)?.[1] === LAST && set.length > 1;
}

/** The set as a character class of RE2. */
export function classText(set: CodePoints): string {
  const isNegated = isWrittenNegated(set);
  const shown = isNegated ? complementOf(set) : set;
  if (shown.length === 0) return `[^\\x00-\\x{${LAST.toString(16)}}]`;
  const ranges = shown.map(([first, last]) => {
    if (first === last) return characterText(first);
    return `${characterText(first)}${last > first + 1 ? '-' : ''}${characterText(last)}`;
  });
  return `[${isNegated ? '^' : ''}${ranges.join('')}]`;
}

/** The character for RE2, in a class or outside. */
export function characterText(codePoint: number): string {
  if (codePoint <= 0x20 || codePoint >= 0x7f) return `\\x{${codePoint.toString(16)}}`;
  const character = String.fromCodePoint(codePoint);
  return /[A-Za-z0-9/:@_~%=,;#"'`<>!]/.test(character) ? character : `\\${character}`;
}
