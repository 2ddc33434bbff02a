// Which patterns could match a URL, judged by short pieces of the texts they require. A pattern that
// requires nothing long enough is always worth trying.
import type { Requirement } from './pattern-literals.js';
import { inSlices } from './yield-to-event-loop.js';

/**
 * Lengths of pieces, the better first. Six characters tell host names apart; three still find `crm`
 * in `https://www.crm.example.org/` with every dot unescaped.
 */
const PIECE_LENGTHS = [6, 3] as const;

/** Positions of patterns, ascending, by a piece that each of them requires. */
type Postings = Map<string, number[]>;

export class LiteralIndex {
  private constructor(
    private readonly always: readonly number[],
    private readonly byPiece: ReadonlyMap<number, Postings>,
  ) {}

  /** Indexes patterns, given by what each requires, under the pieces that the fewest share. */
  static async of(patterns: readonly (readonly Requirement[])[]): Promise<LiteralIndex> {
    const sharers = new Map<string, number>();
    await inSlices(patterns, (requirements) => {
      for (const text of requirements.flat()) {
        for (const piece of piecesOf(text)) sharers.set(piece, (sharers.get(piece) ?? 0) + 1);
      }
    });
    const always: number[] = [];
    const byPiece = new Map<number, Postings>();
    await inSlices(patterns, (requirements, position) => {
      const pieces = rarestPieces(requirements, sharers);
      if (pieces === undefined) always.push(position);
      for (const piece of pieces ?? []) post(byPiece, piece, position);
    });
    return new LiteralIndex(always, byPiece);
  }

  /** The positions of the patterns that could match, ascending. `folded` is a URL after `foldCase`. */
  candidates(folded: string): readonly number[] {
    const found = new Set(this.always);
    for (const [length, postings] of this.byPiece) {
      for (let at = 0; at + length <= folded.length; at += 1) {
        postings.get(folded.substring(at, at + length))?.forEach((position) => found.add(position));
      }
    }
    return [...found].toSorted((a, b) => a - b);
  }
}

/** The pieces of a text, all of the greatest length it has any of. */
function piecesOf(text: string): readonly string[] {
  const length = PIECE_LENGTHS.find((enough) => text.length >= enough);
  if (length === undefined) return [];
  return Array.from({ length: text.length - length + 1 }, (_, at) =>
    text.substring(at, at + length),
  );
}

/** A piece of each text of the requirement whose pieces the fewest patterns share. */
function rarestPieces(
  requirements: readonly Requirement[],
  sharers: ReadonlyMap<string, number>,
): ReadonlySet<string> | undefined {
  let best: { readonly pieces: ReadonlySet<string>; readonly cost: number } | undefined;
  for (const requirement of requirements) {
    const rarest = requirement.map((text) => rarestPiece(text, sharers));
    if (rarest.includes(undefined)) continue;
    const found = new Set(rarest.filter((piece) => piece !== undefined));
    const cost = [...found].reduce((sum, piece) => sum + (sharers.get(piece) ?? 0), 0);
    if (best === undefined || cost < best.cost) best = { pieces: found, cost };
  }
  return best?.pieces;
}

function rarestPiece(text: string, sharers: ReadonlyMap<string, number>): string | undefined {
  let rarest: string | undefined;
  let fewest = Infinity;
  for (const piece of piecesOf(text)) {
    const count = sharers.get(piece) ?? 0;
    if (count < fewest) [rarest, fewest] = [piece, count];
  }
  return rarest;
}

function post(byPiece: Map<number, Postings>, piece: string, position: number): void {
  const postings = byPiece.get(piece.length) ?? new Map<string, number[]>();
  const positions = postings.get(piece);
  if (positions === undefined) postings.set(piece, [position]);
  else positions.push(position);
  byPiece.set(piece.length, postings);
}
