// Pages of lists, by cursors that clients do not interpret.
import { Transform } from 'class-transformer';
import { IsInt, IsString, Max, MaxLength, Min } from 'class-validator';
import { RequestError } from '@tessera/server';
import { Optional } from './input.js';

const MAX_LIMIT = 200;
const DEFAULT_LIMIT = 50;

/** The part of a query that selects a page. */
export class PageQuery {
  @Optional()
  @Transform(({ value }: { value: unknown }) =>
    typeof value === 'string' && /^\d{1,6}$/.test(value) ? Number(value) : value,
  )
  @IsInt({ message: `must be a number from 1 to ${MAX_LIMIT}` })
  @Min(1)
  @Max(MAX_LIMIT)
  limit = DEFAULT_LIMIT;

  /** `next` of the previous page. */
  @Optional() @IsString() @MaxLength(2_000) after?: string;
}

export interface Page<T> {
  readonly items: readonly T[];
  /** The cursor of the next page; null for the last one. */
  readonly next: string | null;
}

/** @param rows one more than the limit, where there are more. @param positionOf the texts that a cursor holds */
export function pageOf<R, T>(
  rows: readonly R[],
  { limit }: PageQuery,
  {
    positionOf,
    view,
  }: {
    readonly positionOf: (row: R) => readonly string[];
    readonly view: (row: R) => T;
  },
): Page<T> {
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  const hasMore = rows.length > limit && last !== undefined;
  return {
    items: items.map((row) => view(row)),
    next: hasMore ? Buffer.from(JSON.stringify(positionOf(last))).toString('base64url') : null,
  };
}

/**
 * The texts of a cursor, of which each matches its pattern.
 * @throws RequestError MALFORMED_REQUEST for any other text
 */
export function readCursor(
  { after }: PageQuery,
  ...patterns: readonly Pattern[]
): readonly string[] | undefined {
  if (after === undefined) return undefined;
  const texts = parse(after);
  const isValid =
    Array.isArray(texts) &&
    texts.length === patterns.length &&
    texts.every((each, at) => typeof each === 'string' && patterns[at]?.test(each));
  if (!isValid) throw new RequestError('MALFORMED_REQUEST', 'after is not the next of a page');
  return texts as readonly string[];
}

type Pattern = Pick<RegExp, 'test'>;

const TIME = /^(?!0000)\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,6})?Z$/;

/** A time that PostgreSQL and `Date` know, to the microsecond. `Date` turns 30 February into 2 March. */
export const A_TIME: Pattern = {
  test(text) {
    const time = Date.parse(text);
    return (
      TIME.test(text) &&
      !Number.isNaN(time) &&
      new Date(time).toISOString().startsWith(text.slice(0, 19))
    );
  },
};

function parse(cursor: string): unknown {
  try {
    return JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8')) as unknown;
  } catch {
    return undefined;
  }
}
