// An n-gram index of patterns: finds the few patterns that could match a URL, by texts that every match must contain.
import { foldCase } from './service-pattern.js';
import { forEachYielding } from './yield-to-event-loop.js';

/**
 * Lengths of n-grams, the better first. Six characters distinguish host names; three still find `crm` in
 * `https://www.crm.example.org/` with every dot unescaped.
 */
const NGRAM_LENGTHS = [6, 3] as const;

/** Positions of patterns, ascending, by an n-gram that each of them requires. */
type Postings = Map<string, number[]>;

export class LiteralIndex {
  private constructor(
    private readonly unindexed: readonly number[],
    private readonly postingsByLength: ReadonlyMap<number, Postings>,
  ) {}

  /** Indexes patterns, given by their required literals, under the n-grams that the fewest patterns share. */
  static async of(patterns: readonly (readonly Requirement[])[]): Promise<LiteralIndex> {
    const frequencies = new Map<string, number>();
    await forEachYielding(patterns, (requirements) => {
      for (const text of requirements.flat()) {
        for (const ngram of ngramsOf(text)) {
          frequencies.set(ngram, (frequencies.get(ngram) ?? 0) + 1);
        }
      }
    });
    const unindexed: number[] = [];
    const postingsByLength = new Map<number, Postings>();
    await forEachYielding(patterns, (requirements, position) => {
      const ngrams = rarestNgrams(requirements, frequencies);
      if (ngrams === undefined) unindexed.push(position);
      for (const ngram of ngrams ?? []) addPosting(postingsByLength, ngram, position);
    });
    return new LiteralIndex(unindexed, postingsByLength);
  }

  /** The positions of the patterns that could match, ascending. `folded` is a URL after `foldCase`. */
  candidates(folded: string): readonly number[] {
    const found = new Set(this.unindexed);
    for (const [length, postings] of this.postingsByLength) {
      for (let at = 0; at + length <= folded.length; at += 1) {
        postings.get(folded.substring(at, at + length))?.forEach((position) => found.add(position));
      }
    }
    return [...found].toSorted((a, b) => a - b);
  }
}

/** The n-grams of a text, of the greatest length that fits. */
function ngramsOf(text: string): readonly string[] {
  const length = NGRAM_LENGTHS.find((each) => text.length >= each);
  if (length === undefined) return [];
  return Array.from({ length: text.length - length + 1 }, (_, at) =>
    text.substring(at, at + length),
  );
}

/** One n-gram for each text of the requirement whose n-grams the fewest patterns share. */
function rarestNgrams(
  requirements: readonly Requirement[],
  frequencies: ReadonlyMap<string, number>,
): ReadonlySet<string> | undefined {
  let best: { readonly ngrams: ReadonlySet<string>; readonly cost: number } | undefined;
  for (const requirement of requirements) {
    const rarest = requirement.map((text) => rarestNgram(text, frequencies));
    if (rarest.includes(undefined)) continue;
    const found = new Set(rarest.filter((ngram) => ngram !== undefined));
    const cost = [...found].reduce((sum, ngram) => sum + (frequencies.get(ngram) ?? 0), 0);
    if (best === undefined || cost < best.cost) best = { ngrams: found, cost };
  }
  return best?.ngrams;
}

function rarestNgram(text: string, frequencies: ReadonlyMap<string, number>): string | undefined {
  let rarest: string | undefined;
  let fewest = Infinity;
  for (const ngram of ngramsOf(text)) {
    const count = frequencies.get(ngram) ?? 0;
    if (count < fewest) [rarest, fewest] = [ngram, count];
  }
  return rarest;
}

function addPosting(
  postingsByLength: Map<number, Postings>,
  ngram: string,
  position: number,
): void {
  const postings = postingsByLength.get(ngram.length) ?? new Map<string, number[]>();
  const positions = postings.get(ngram);
  if (positions === undefined) postings.set(ngram, [position]);
  else positions.push(position);
  postingsByLength.set(ngram.length, postings);
}

/** Every match contains one of these texts, after `foldCase`. */
export type Requirement = readonly string[];

/**
 * The requirements of a pattern that RE2 accepts: every match contains one text of each. Finds fewer than there are where
 * it does not know the syntax.
 */
export function requiredLiterals(pattern: string): readonly Requirement[] {
  if (UNSUPPORTED.test(pattern)) return [];
  return new LiteralReader(pattern).alternatives();
}

/**
 * Escapes whose arguments look like plain characters (`\Q…\E`, `\x41`, `\101`, `\pL`), and a quantifier after `(?i)`,
 * which repeats the item before that.
 */
const UNSUPPORTED = /\\[QpPx0-7]|\(\?[A-Za-z-]+\)[*+?{]/;
const QUANTIFIER = /(?:[*+?]|\{\d+(?:,\d*)?\})\??/y;
const GROUP_START = /\((?:\?(?:P?<[^>]*>|[A-Za-z-]*:))?/y;
const FLAGS = /\(\?[A-Za-z-]+\)/y;
/** A class ends at the first `]` that is not its first character, not escaped, and not part of `[:alpha:]`. */
const CLASS = /\[\^?\]?(?:\[:\^?\w+:\]|\\[^]|[^\]\\])*\]/y;
const ESCAPED_PUNCTUATION = /\\([!-/:-@[-`{-~])/y;
const ESCAPED_LETTER = /\\[^]/y;
const PLAIN_CHARACTER = /[^\\.()[|^$]/y;

class LiteralReader {
  private at = 0;
  /** The last characters read, which are adjacent in every match. */
  private run = '';

  constructor(private readonly pattern: string) {}

  /** Reads up to the end of the pattern or of a group. Returns the requirements of its alternatives together. */
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

  /** Reads one item; undefined when it extended the run. */
  private item(): readonly Requirement[] | undefined {
    if (this.skip(FLAGS) || this.skip(QUANTIFIER) || this.skip(CLASS)) return this.unlessRepeated();
    if (this.skip(GROUP_START)) return this.group();
    const character = this.skip(ESCAPED_PUNCTUATION)?.[1] ?? this.skip(PLAIN_CHARACTER)?.[0];
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

  /** The requirements of the last item, unless a quantifier allows it to be absent. */
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

/** Combines alternatives: a text that the first requires, or one that the second requires, and so on. */
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
