// Writes a pattern of java.util.regex for RE2, where both match the same whole texts. Everything else stays as it is: RE2
// refuses it, or `javaSyntaxIn` finds it.
import { areDisjoint, type CodePoints } from './code-points.js';
import { itemAt, type JavaItem, type ReadingOptions, type RewriteRule } from './java-items.js';

export interface RewrittenPattern {
  readonly pattern: string;
  /** Why the texts are the same, each once; empty where nothing was changed. */
  readonly rules: readonly RewriteRule[];
}

/** Longer patterns are refused. */
const MAX_LENGTH = 2_000;
/** Of optional items behind a possessive quantifier. */
const MAX_LOOK_AHEAD = 50;
const QUANTIFIER = /(?:[*+?]|\{\d+(?:,\d*)?\})(?<mode>[?+]?)/y;
const OPTIONAL = /^(?:[*?]|\{0)/;
/** Plain characters, and alternatives of them. */
const TEXTS = /(?<texts>(?:[^\\.+*?()[\]{}^$]|\\[-./:?=&+])*)\)/y;
const POSSESSIVE =
  'a possessive quantifier is written as a plain one: what follows cannot match earlier';
const ATOMIC = 'an atomic group is written as a plain one: it matches in one way';

/** The note of a report on a pattern that is written otherwise; undefined where nothing was changed. */
export function rewriteNote(
  text: string,
  { pattern, rules }: RewrittenPattern,
): string | undefined {
  if (rules.length === 0) return undefined;
  return `is stored as ${pattern} in place of ${text}: ${rules.join('; ')}`;
}

/** @param options whether Java ignores case before any flag in the pattern */
export function rewriteJavaPattern(text: string, options: ReadingOptions): RewrittenPattern {
  const reading = text.length > MAX_LENGTH ? undefined : caseOf(text, options);
  return reading === undefined ? { pattern: text, rules: [] } : new Rewriting(text, reading).run();
}

/** Undefined where the letter case counts in a part of the pattern alone, or white space may be a comment. */
function caseOf(text: string, { ignoreCase }: ReadingOptions): ReadingOptions | undefined {
  const flags = text.match(/\(\?[A-Za-z-]+[:)]/g) ?? [];
  if (flags.some((each) => /[xuU]|-[a-z]*i/.test(each))) return undefined;
  if (ignoreCase || !flags.some((each) => each.includes('i'))) return { ignoreCase };
  return /^\(\?[a-z]*i[a-z]*\)/.test(text) ? { ignoreCase: true } : undefined;
}

class Rewriting {
  private readonly written: string[] = [];
  private readonly rules = new Set<RewriteRule>();
  private depth = 0;
  /** What the item before matches, where it is one character. */
  private last: CodePoints | undefined;

  constructor(
    private readonly text: string,
    private readonly options: ReadingOptions,
  ) {}

  run(): RewrittenPattern {
    for (let at = 0; at < this.text.length;) at = this.step(at);
    return { pattern: this.written.join(''), rules: [...this.rules] };
  }

  private step(at: number): number {
    const quantifier = this.quantifierAt(at);
    if (quantifier !== undefined) return this.quantify(quantifier);
    const item = itemAt(this.text, at, this.options);
    if (item.text === '(?>') return this.openAtomic(item);
    if (item.text.startsWith('(') && !/^\(.*\)$/s.test(item.text)) this.depth += 1;
    if (item.text === ')') this.depth -= 1;
    this.last = item.set;
    return this.write(item);
  }

  private quantifierAt(at: number): RegExpExecArray | undefined {
    QUANTIFIER.lastIndex = at;
    return at === 0 ? undefined : (QUANTIFIER.exec(this.text) ?? undefined);
  }

  private quantify({ 0: token, index, groups }: RegExpExecArray): number {
    const end = index + token.length;
    const isPossessive = groups?.['mode'] === '+';
    if (!isPossessive) return this.write({ end, text: token });
    return this.isFinal(this.last, end)
      ? this.write({ end, text: token.slice(0, -1), rule: POSSESSIVE })
      : this.write({ end, text: token });
  }

  /** Whether an item of these characters gives nothing back: what follows cannot begin with one of them. */
  private isFinal(set: CodePoints | undefined, at: number, left = MAX_LOOK_AHEAD): boolean {
    if (set === undefined || left === 0) return false;
    const rest = this.text.slice(at);
    if (/^(?:\$|\\[zZ])?$/.test(rest) || (this.depth === 0 && rest.startsWith('|'))) return true;
    const next = itemAt(this.text, at, this.options);
    if (next.set === undefined || !areDisjoint(set, next.set)) return false;
    QUANTIFIER.lastIndex = next.end;
    const [token = ''] = QUANTIFIER.exec(this.text) ?? [];
    return !OPTIONAL.test(token) || this.isFinal(set, next.end + token.length, left - 1);
  }

  /** Only one of the texts can match at a position, or the group is one item that gives nothing back. */
  private openAtomic(opening: JavaItem): number {
    this.depth += 1;
    this.last = undefined;
    TEXTS.lastIndex = opening.end;
    const texts = TEXTS.exec(this.text)?.groups?.['texts'];
    const isOneWay = texts === undefined ? this.isOneItem(opening.end) : isPrefixFree(texts);
    return this.write(isOneWay ? { ...opening, text: '(?:', rule: ATOMIC } : opening);
  }

  private isOneItem(at: number): boolean {
    const item = itemAt(this.text, at, this.options);
    QUANTIFIER.lastIndex = item.end;
    const [token = '', mode] = QUANTIFIER.exec(this.text) ?? [];
    const end = item.end + token.length;
    if (item.set === undefined || this.text[end] !== ')' || mode === '+') return false;
    if (token === '') return true;
    QUANTIFIER.lastIndex = end + 1;
    const isRepeated = QUANTIFIER.test(this.text);
    return mode === '' && !isRepeated && this.isFinal(item.set, end + 1);
  }

  private write({ end, text, rule }: JavaItem): number {
    this.written.push(text);
    if (rule !== undefined) this.rules.add(rule);
    return end;
  }
}

/** Whether no alternative begins with another one, in whatever letter case. */
function isPrefixFree(texts: string): boolean {
  const all = texts.toLowerCase().replaceAll('\\', '').split('|');
  return all.every((one, at) =>
    all.every((other, where) => at === where || !other.startsWith(one)),
  );
}
