// Decides whether two service patterns may match the same URL.
import { PATTERN_TOKEN } from './pattern-size.js';
import { leadingTexts } from './service-pattern.js';

const INLINE_FLAGS = /^\(\?[A-Za-z-]*\)$/;

/**
 * Tests other patterns against this one. False only if no URL matches both: each begins with texts, such as a scheme and a
 * host, and no text of one is the beginning of a text of the other. A pattern that begins with something else may overlap
 * with every other.
 *
 * @param pattern valid, as are the others
 */
export function overlapsWith(pattern: string): (other: string) => boolean {
  const texts = beginningsOf(pattern);
  return (other) => {
    const others = beginningsOf(other);
    return texts.some((text) =>
      others.some((each) => each.startsWith(text) || text.startsWith(each)),
    );
  };
}

function beginningsOf(pattern: string): readonly string[] {
  return alternativesOf(pattern).flatMap((alternative) => leadingTexts(alternative));
}

/** Splits a pattern at each `|` outside groups. */
function alternativesOf(pattern: string): readonly string[] {
  const alternatives = [''];
  let depth = 0;
  for (const [token] of pattern.matchAll(PATTERN_TOKEN)) {
    if (token.startsWith('(') && !INLINE_FLAGS.test(token)) depth += 1;
    if (token === ')') depth -= 1;
    if (token === '|' && depth === 0) alternatives.push('');
    else alternatives[alternatives.length - 1] += token;
  }
  return alternatives;
}
