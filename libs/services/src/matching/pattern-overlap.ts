// Decides whether two service patterns may match the same URL.
import { PATTERN_TOKEN } from './pattern-size.js';
import { leadingTexts } from './service-pattern.js';

const INLINE_FLAGS = /^\(\?[A-Za-z-]*\)$/;

/** The text up to the host, the user, host and port, and what is known of the rest. */
const AUTHORITY = /^([a-z][a-z0-9+.-]*:\/\/)([^/?#]*)(.*)$/s;
const PLAIN_AUTHORITY = /^(?:(?!xn--)[a-z0-9-]+(?:\.|$))*/;
/** Behind these, one URL may have several spellings. */
const SPELLED_OTHERWISE = /[^!-~]|[%;+#\\]|(?<=^https?:)(?!\/\/)/;

/**
 * Tests other patterns against this one. False only if no URL matches both, in whatever spelling: each begins with texts,
 * such as a scheme and a host, and no text of one is the beginning of a text of the other. A pattern that begins with
 * something else may overlap with every other.
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

/**
 * Texts of which every match of the pattern begins with one, as URLs are usually written; the empty text where nothing is
 * known.
 * @param pattern valid
 */
export function beginningsOf(pattern: string): readonly string[] {
  return alternativesOf(pattern).flatMap((alternative) =>
    leadingTexts(alternative).map(canonicalBeginning),
  );
}

/** What every spelling of a URL that begins with the text begins with, once it is canonical. */
function canonicalBeginning(text: string): string {
  const [, scheme, authority = '', rest = ''] = AUTHORITY.exec(text) ?? [];
  if (scheme === undefined) return beforeOtherSpellings(text);
  // Nothing follows: the host may go on.
  if (rest === '') return scheme + (PLAIN_AUTHORITY.exec(authority)?.[0] ?? '');
  const url = URL.parse(`${scheme}${authority}/`);
  if (url === null) return scheme;
  const host = url.hostname.replace(/\.$/, '');
  return `${url.protocol}//${host}${url.port && `:${url.port}`}${beforeOtherSpellings(rest)}`;
}

function beforeOtherSpellings(text: string): string {
  return text.slice(0, SPELLED_OTHERWISE.exec(text)?.index);
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
