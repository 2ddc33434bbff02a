// Matches values of attributes with the patterns of a service. The patterns are compiled at their first use, once for each
// definition, and live as long as it does.
import type { RE2JS } from 're2js';
import type { AttributePatterns } from '../registered-service.js';
import { ServiceError } from '../service-error.js';
import { compilePattern, MAX_STEPS } from './compiled-pattern.js';
import { requiredLiterals, type Requirement } from './literal-index.js';
import { foldCase } from './service-pattern.js';

/** `unknown`: the pattern is invalid, matching would take too long, or RE2 and Java may differ. It counts against the user. */
export type Verdict = 'match' | 'no match' | 'unknown';

/** The steps that remain for one decision; see {@link MAX_STEPS}. */
export interface StepBudget {
  steps: number;
}

export const newBudget = (): StepBudget => ({ steps: MAX_STEPS });

/** Java ends lines at more characters than RE2: `.` and `$` differ for such values, and `\s` for a vertical tab. */
const LINE_BREAK = /[\n\v\r\u0085\u2028\u2029]/;
/** RE2 matches these as `s` and `k` where it ignores case. Java does not. */
const FOLDED_LETTER = /[\u017f\u212a]/;
const IGNORES_CASE = /\(\?[a-zA-Z]*i/;

interface ValueRegExp {
  readonly pattern: RE2JS;
  readonly literals: readonly Requirement[];
}

/** The patterns of one attribute. */
export class ValuePatterns {
  private readonly texts = new Set<string>();
  private readonly patterns: ValueRegExp[] = [];
  private isInvalid = false;
  private ignoresCase = false;

  constructor(patterns: readonly string[]) {
    for (const pattern of patterns) {
      const text = literalValue(pattern);
      if (text === undefined) this.compile(pattern);
      else this.texts.add(text);
    }
  }

  /** Whether a pattern matches the whole value. */
  judge(value: string, budget: StepBudget): Verdict {
    if (this.texts.has(value)) return 'match';
    if (this.patterns.length === 0) return this.isInvalid ? 'unknown' : 'no match';
    if (this.isReadOtherwiseInJava(value)) return 'unknown';
    const folded = foldCase(value);
    for (const { pattern, literals } of this.patterns) {
      if (!literals.every((texts) => texts.some((text) => folded.includes(text)))) continue;
      budget.steps -= pattern.programSize() * value.length;
      if (budget.steps < 0) return 'unknown';
      if (pattern.matcher(value).matches()) return 'match';
    }
    return this.isInvalid ? 'unknown' : 'no match';
  }

  /** `match` where one value matches, `no match` where none does. */
  judgeAny(values: readonly string[], budget: StepBudget): Verdict {
    let verdict: Verdict = 'no match';
    for (const value of values) {
      const each = this.judge(value, budget);
      if (each === 'match') return each;
      if (each === 'unknown') verdict = each;
    }
    return verdict;
  }

  private isReadOtherwiseInJava(value: string): boolean {
    return LINE_BREAK.test(value) || (this.ignoresCase && FOLDED_LETTER.test(value));
  }

  private compile(text: string): void {
    try {
      const pattern = compilePattern(text, { ignoreCase: false });
      this.patterns.push({ pattern, literals: requiredLiterals(text) });
      this.ignoresCase ||= IGNORES_CASE.test(text);
    } catch (error) {
      // The store refuses such a pattern, but other programs may write it.
      if (!(error instanceof ServiceError)) throw error;
      this.isInvalid = true;
    }
  }
}

const compiled = new WeakMap<AttributePatterns, ReadonlyMap<string, ValuePatterns>>();

/** The compiled patterns by attribute name. */
export function compiledPatterns(patterns: AttributePatterns): ReadonlyMap<string, ValuePatterns> {
  const known = compiled.get(patterns);
  if (known !== undefined) return known;
  const entries = Object.entries(patterns).map(
    ([name, texts]) => [name, new ValuePatterns(texts)] as const,
  );
  const made = new Map(entries);
  compiled.set(patterns, made);
  return made;
}

const META = /[\\.+*?()[\]{}|^$]/g;
const ESCAPED = /\\([!-/:-@[-`{-~])/g;

/** The pattern that matches this value alone. */
export function patternOfValue(value: string): string {
  return value.replace(META, String.raw`\$&`);
}

/** The only value that the pattern matches; undefined where there may be more. */
export function literalValue(pattern: string): string | undefined {
  if (pattern.replace(ESCAPED, '').search(META) >= 0) return undefined;
  return pattern.replace(ESCAPED, '$1');
}
