// Finds texts that a URL must contain to match a pattern, so that most patterns need not be tried.
// It reads less than RE2 does: where it is not sure, it asks for less.
import { foldCase } from './letter-case.js';

/** Every match contains one of these texts, after `foldCase`. */
export type Requirement = readonly string[];

/**
 * What every match of the whole pattern contains: one text out of each requirement. The pattern
 * must be one that RE2 accepts.
 */
export function requirementsOf(pattern: string): readonly Requirement[] {
  if (TOO_CLEVER.test(pattern)) return [];
  return new LiteralReader(pattern).alternatives();
}

/**
 * Escapes whose arguments would be taken for plain characters (`\Q…\E`, `\x41`, `\101`, `\pL`), and
 * a quantifier behind `(?i)`, which repeats what stands before that.
 */
const TOO_CLEVER = /\\[QpPx0-7]|\(\?[A-Za-z-]+\)[*+?{]/;
const QUANTIFIER = /(?:[*+?]|\{\d+(?:,\d*)?\})\??/y;
const GROUP_START = /\((?:\?(?:P?<[^>]*>|[A-Za-z-]*:))?/y;
const FLAGS = /\(\?[A-Za-z-]+\)/y;
/** A class ends at the first `]` that is neither its first character, nor escaped, nor `[:alpha:]`'s. */
const CLASS = /\[\^?\]?(?:\[:\^?\w+:\]|\\[^]|[^\]\\])*\]/y;
const ESCAPED_PUNCTUATION = /\\([!-/:-@[-`{-~])/y;
const ESCAPED_LETTER = /\\[^]/y;
const ITSELF = /[^\\.()[|^$]/y;

class LiteralReader {
  private at = 0;
  /** The characters read last, which stand one behind the other in every match. */
  private run = '';

  constructor(private readonly pattern: string) {}

  /** Reads up to the end of the pattern or of a group, and finds what its alternatives require. */
  alternatives(): readonly Requirement[] {
    const all = [this.sequence()];
    while (this.take('|')) all.push(this.sequence());
    const [only] = all;
    return only !== undefined && all.length === 1 ? only : oneOfEach(all);
  }

  private sequence(): readonly Requirement[] {
    const found: Requirement[] = [];
    while (this.at < this.pattern.length && !/[|)]/.test(this.pattern.charAt(this.at))) {
      const required = this.item();
      if (required === undefined) continue;
      this.endRun(found);
      found.push(...required);
    }
    this.endRun(found);
    return found;
  }

  /** Reads one item; undefined when it only made the run longer. */
  private item(): readonly Requirement[] | undefined {
    if (this.skip(FLAGS) || this.skip(QUANTIFIER) || this.skip(CLASS)) return this.unlessRepeated();
    if (this.skip(GROUP_START)) return this.group();
    const character = this.skip(ESCAPED_PUNCTUATION)?.[1] ?? this.skip(ITSELF)?.[0];
    if (character !== undefined && /[ -~]/.test(character)) return this.literal(character);
    if (character === undefined && !this.skip(ESCAPED_LETTER)) this.at += 1;
    return this.unlessRepeated();
  }

  private group(): readonly Requirement[] {
    const outside = this.run;
    this.run = '';
    const required = this.alternatives();
    this.run = outside;
    this.take(')');
    return this.unlessRepeated(required);
  }

  private literal(character: string): readonly Requirement[] | undefined {
    if (this.skip(QUANTIFIER)) return [];
    this.run += foldCase(character);
    return undefined;
  }

  /** What was read last, if it occurs at least once whatever stands behind it. */
  private unlessRepeated(required: readonly Requirement[] = []): readonly Requirement[] {
    const quantifier = this.skip(QUANTIFIER)?.[0];
    return quantifier === undefined || quantifier.startsWith('+') ? required : [];
  }

  private endRun(found: Requirement[]): void {
    if (this.run !== '') found.push([this.run]);
    this.run = '';
  }

  private take(character: string): boolean {
    const there = this.pattern.charAt(this.at) === character;
    if (there) this.at += 1;
    return there;
  }

  private skip(syntax: RegExp): RegExpExecArray | undefined {
    syntax.lastIndex = this.at;
    const found = syntax.exec(this.pattern) ?? undefined;
    this.at += found?.[0].length ?? 0;
    return found;
  }
}

/** Of alternatives: one of what the first requires, or of what the second requires, and so on. */
function oneOfEach(all: readonly (readonly Requirement[])[]): readonly Requirement[] {
  const best = all.map((requirements) => requirements.toSorted(byShortestText)[0]);
  return best.includes(undefined) ? [] : [best.flatMap((requirement) => requirement ?? [])];
}

function byShortestText(a: Requirement, b: Requirement): number {
  return shortest(b) - shortest(a);
}

function shortest(requirement: Requirement): number {
  return Math.min(...requirement.map(({ length }) => length));
}
