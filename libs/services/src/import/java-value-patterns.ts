// Patterns of attribute values in Apereo's files, as patterns of RE2 that are no laxer. Apereo CAS searches for a match in the
// value; here a pattern matches the whole value.
import { compilePattern } from '../matching/compiled-pattern.js';
import { PATTERN_TOKEN } from '../matching/pattern-size.js';
import { ServiceError } from '../service-error.js';
import { rewriteJavaPattern, rewriteNote } from './java-pattern/java-pattern.js';
import { isScript, SCRIPT } from './member-handlers.js';
import { javaSyntaxIn } from './unsupported-pattern.js';

/** Flags of the rest of a group. Apereo CAS joins the values, so that they hold for later ones. */
const OPEN_FLAGS = /^\(\?[A-Za-z-]+\)$/;
/** `U` is another flag in Java. `P` names groups in RE2 alone. */
const OTHER_GROUP = /^\(\?(?:P|[a-z-]*U)/;
/** Java's word boundary knows Unicode, and its `\v` is a class. `\C` is of RE2 alone. */
const OTHER_ESCAPE = /^\\[bBvC]$/;
const UNICODE = /[^ -~]|\\[pPx]/;

export interface ValueRule {
  readonly ignoresCase: boolean;
  /** A rejected value is refused where Apereo CAS finds a part of it. */
  readonly matchesParts: boolean;
}

/** The patterns of one attribute, or the reason why they cannot be kept. */
export type ReadValues =
  | {
      readonly patterns: readonly string[];
      /** Notes on those that are written otherwise. */
      readonly notes: readonly string[];
    }
  | { readonly reason: string };

export function readValues(values: readonly string[], rule: ValueRule): ReadValues {
  const read = values.map((value) => {
    const rewritten = rewriteJavaPattern(value, { ignoreCase: rule.ignoresCase });
    return { ...rewritten, note: rewriteNote(value, rewritten) };
  });
  const patterns = read.map(({ pattern }) => pattern);
  const reason = patterns.map((each) => reasonAgainst(each, values.length, rule)).find(Boolean);
  if (reason !== undefined) return { reason };
  return {
    patterns: patterns.map((each) => convert(each, rule)),
    notes: read.flatMap(({ note }) => note ?? []),
  };
}

/** Whether a pattern begins and ends with an anchor, or with anything: its search finds whole values alone. */
export function isOfWholeValue(pattern: string): boolean {
  const text = pattern.replace(/^\(\?i\)/, '');
  return /^(?:\^|\.\*)/.test(text) && /(?:^|[^\\])(?:\$|\.\*)$/.test(text) && !text.includes('|');
}

function convert(text: string, { ignoresCase, matchesParts }: ValueRule): string {
  const flags = ignoresCase ? '(?i)' : '';
  return matchesParts && !isOfWholeValue(text) ? `${flags}.*(?:${text}).*` : `${flags}${text}`;
}

function reasonAgainst(
  text: string,
  count: number,
  { ignoresCase }: ValueRule,
): string | undefined {
  if (isScript(text)) return SCRIPT;
  const syntax = javaSyntaxIn(text) ?? otherSyntaxIn(text, count > 1);
  if (syntax !== undefined) return `has Java syntax that RE2 reads otherwise: ${syntax}`;
  if (ignoresCase && UNICODE.test(text)) {
    return 'ignores case beyond ASCII, which Java and RE2 do differently';
  }
  return errorOf(text);
}

function errorOf(text: string): string | undefined {
  try {
    compilePattern(text, { ignoreCase: false });
    return undefined;
  } catch (error) {
    if (error instanceof ServiceError) return error.message;
    throw error;
  }
}

/** The first syntax that one of Java and RE2 refuses or reads otherwise. Java compares a value with an error exactly. */
function otherSyntaxIn(text: string, isOneOfSeveral: boolean): string | undefined {
  const tokens = Array.from(text.matchAll(PATTERN_TOKEN), ([token]) => token);
  return tokens.find(
    (token) =>
      token === '{' ||
      OTHER_GROUP.test(token) ||
      OTHER_ESCAPE.test(token) ||
      (token.startsWith('[') && /\\[bBvC]/.test(token)) ||
      (token.startsWith('\\Q') && !token.endsWith('\\E')) ||
      (isOneOfSeveral && OPEN_FLAGS.test(token)),
  );
}
