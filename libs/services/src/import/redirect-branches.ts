// Expands a pattern of redirect URIs into its alternatives: for each, the text that it begins with, and what follows.
import { PATTERN_TOKEN } from '../matching/pattern-size.js';

/** One alternative of a pattern. */
export interface RedirectBranch {
  /** The characters that each match begins with. A plain dot counts as itself. */
  readonly text: string;
  /** What follows, in RE2 syntax without alternatives outside groups; empty where the text is all. */
  readonly rest: string;
}

/** Why a pattern cannot be expanded, as a predicate of the member. */
export class UnexpandablePattern extends Error {}

const MAX_BRANCHES = 100;
const EMPTY: RedirectBranch = { text: '', rest: '' };
const QUANTIFIER = /^(?:[*+?]|\{\d+(?:,\d*)?\})\??$/;
const PLAIN_GROUP = /^\((?:\?(?::|P?<\w+>))?$/;
/** Of the rest of the pattern. Without them, fewer URIs match. */
const FLAGS = /^\(\?[ims]+\)$/;
const STARTS = new Set(['^', String.raw`\A`]);
const ENDS = new Set(['$', String.raw`\z`]);
const ESCAPED_PUNCTUATION = /^\\([!-/:-@[-`{-~])$/;
const SMALL_CLASS = /^\[([A-Za-z0-9]{1,10})\]$/;

/**
 * The alternatives of a pattern in RE2 syntax. All of them together match the same texts or fewer.
 * @throws {UnexpandablePattern}
 */
export function redirectBranches(pattern: string): readonly RedirectBranch[] {
  const expansion = new Expansion(Array.from(pattern.matchAll(PATTERN_TOKEN)));
  return expansion.run();
}

/** The text as a pattern of itself. */
export function quoted(text: string): string {
  return text.replaceAll(/[\\.*+?()[\]{}|^$]/g, String.raw`\$&`);
}

class Expansion {
  private at = 0;

  constructor(private readonly tokens: readonly RegExpExecArray[]) {}

  run(): readonly RedirectBranch[] {
    const branches = this.alternatives();
    if (this.at < this.tokens.length) throw new UnexpandablePattern('is not understood');
    return branches;
  }

  private get token(): string | undefined {
    return this.tokens[this.at]?.[0];
  }

  private alternatives(): readonly RedirectBranch[] {
    const branches = [...this.sequence()];
    while (this.token === '|') {
      this.at += 1;
      branches.push(...this.sequence());
    }
    return limited(branches);
  }

  private sequence(): readonly RedirectBranch[] {
    let branches: readonly RedirectBranch[] = [EMPTY];
    for (let { token } = this; token !== undefined && !/^[|)]$/.test(token); { token } = this) {
      const isAtStart = branches.every(({ text, rest }) => text + rest === '');
      if (STARTS.has(token) && !isAtStart) throw new UnexpandablePattern('has ^ in the middle');
      branches = limited(this.append(branches));
    }
    return branches;
  }

  /** The branches with the next item. */
  private append(branches: readonly RedirectBranch[]): readonly RedirectBranch[] {
    const first = this.at;
    const item = this.item();
    const quantifier = QUANTIFIER.test(this.token ?? '') ? this.token : undefined;
    if (quantifier !== undefined) this.at += 1;
    const source = this.tokens
      .slice(first, this.at)
      .map(([token]) => token)
      .join('');
    const next = quantified(item, quantifier, source);
    return branches.flatMap(({ text, rest }) =>
      rest === ''
        ? next.map((each) => ({ text: text + each.text, rest: each.rest }))
        : [{ text, rest: rest + source }],
    );
  }

  /** The branches of the next item; undefined for one that matches too much to list. */
  private item(): readonly RedirectBranch[] | undefined {
    const [token = '', quotedText] = this.tokens[this.at] ?? [];
    this.at += 1;
    if (FLAGS.test(token) || STARTS.has(token)) return [EMPTY];
    if (ENDS.has(token)) return this.end();
    if (PLAIN_GROUP.test(token)) return this.group();
    if (token.startsWith('(')) {
      throw new UnexpandablePattern(`has ${token}, which is not read here`);
    }
    const text = quotedText ?? ESCAPED_PUNCTUATION.exec(token)?.[1];
    if (text !== undefined) return [{ text, rest: '' }];
    const members = SMALL_CLASS.exec(token)?.[1];
    if (members !== undefined) return Array.from(members, (each) => ({ text: each, rest: '' }));
    if (token.startsWith('\\') || token.startsWith('[')) return undefined;
    if (QUANTIFIER.test(token)) throw new UnexpandablePattern('has a quantifier without an item');
    return token === '.' && /^[*+{]/.test(this.token ?? '')
      ? undefined
      : [{ text: token, rest: '' }];
  }

  private group(): readonly RedirectBranch[] {
    const branches = this.alternatives();
    if (this.token !== ')') throw new UnexpandablePattern('has a group without an end');
    this.at += 1;
    return branches;
  }

  /** Only at the end of an alternative that nothing follows. */
  private end(): readonly RedirectBranch[] {
    let depth = 0;
    let isSkipping = this.token === '|';
    for (const [token] of this.tokens.slice(this.at)) {
      if (token.startsWith('(') && !FLAGS.test(token)) depth += 1;
      else if (token === ')' && depth > 0) depth -= 1;
      else if (token === ')') isSkipping = false;
      else if (depth === 0 && token === '|') isSkipping = true;
      else if (depth === 0 && !isSkipping && !ENDS.has(token)) {
        throw new UnexpandablePattern('has $ in the middle');
      }
    }
    return [EMPTY];
  }
}

/** @param item undefined for one that is not listed */
function quantified(
  item: readonly RedirectBranch[] | undefined,
  quantifier: string | undefined,
  source: string,
): readonly RedirectBranch[] {
  if (item === undefined || (quantifier !== undefined && !quantifier.startsWith('?'))) {
    return [{ text: '', rest: source }];
  }
  return quantifier === undefined ? item : [...item, EMPTY];
}

function limited(branches: readonly RedirectBranch[]): readonly RedirectBranch[] {
  if (branches.length > MAX_BRANCHES) {
    throw new UnexpandablePattern(`lists more than ${MAX_BRANCHES} URIs: write fewer`);
  }
  return branches;
}
