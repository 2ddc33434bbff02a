// The text of a file with normalised line ends, and the line and column of each offset.
import type { Origin } from './property-document.js';
import { PropertySourceError } from './property-source-error.js';

/** Has no byte order mark, and lines that end in `\n`. */
export class SourceText {
  readonly text: string;
  readonly #lineStarts: number[] = [0];
  /** Offsets of low surrogates: columns count characters, not code units. */
  readonly #lowSurrogates: number[] = [];

  /** @param name of the file, for errors */
  constructor(
    text: string,
    readonly name: string,
  ) {
    this.text = text.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n');
    for (const { index } of this.text.matchAll(/\n/g)) this.#lineStarts.push(index + 1);
    for (const { index } of this.text.matchAll(/[\u{10000}-\u{10FFFF}]/gu)) {
      this.#lowSurrogates.push(index + 1);
    }
  }

  originAt(offset: number): Origin {
    const line = countUpTo(this.#lineStarts, offset);
    const start = this.#lineStarts[line - 1] ?? 0;
    const paired = countUpTo(this.#lowSurrogates, offset) - countUpTo(this.#lowSurrogates, start);
    return { line, column: offset - start - paired + 1 };
  }

  unreadableAt(offset: number, reason: string): PropertySourceError {
    return new PropertySourceError(this.name, this.originAt(offset).line, reason);
  }

  /** With the column, for an error of syntax. */
  malformedAt(offset: number, reason: string): PropertySourceError {
    const { line, column } = this.originAt(offset);
    return new PropertySourceError(this.name, line, reason, column);
  }
}

/** The count of numbers that are at most the limit; the numbers are sorted. */
export function countUpTo(ascending: readonly number[], limit: number): number {
  let low = 0;
  let high = ascending.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ascending[middle] ?? Infinity) <= limit) low = middle + 1;
    else high = middle;
  }
  return low;
}
