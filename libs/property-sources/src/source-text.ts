// Owns the text of a file while it is read: its line ends, and which line and column a place in it is.
import type { Origin } from './property-document.js';
import { PropertySourceError } from './property-source-error.js';

/** Without a byte order mark, each line ending in `\n`, so that places are the same on every system. */
export class SourceText {
  readonly text: string;
  readonly #lineStarts: number[] = [0];
  /** Where characters of two code units have their second one: columns count characters. */
  readonly #secondHalves: number[] = [];

  /** @param name the file as people know it */
  constructor(
    text: string,
    readonly name: string,
  ) {
    this.text = text.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n');
    for (const { index } of this.text.matchAll(/\n/g)) this.#lineStarts.push(index + 1);
    for (const { index } of this.text.matchAll(/[\u{10000}-\u{10FFFF}]/gu)) {
      this.#secondHalves.push(index + 1);
    }
  }

  originAt(offset: number): Origin {
    const line = countUpTo(this.#lineStarts, offset);
    const start = this.#lineStarts[line - 1] ?? 0;
    const paired = countUpTo(this.#secondHalves, offset) - countUpTo(this.#secondHalves, start);
    return { line, column: offset - start - paired + 1 };
  }

  unreadableAt(offset: number, reason: string): PropertySourceError {
    return new PropertySourceError(this.name, this.originAt(offset).line, reason);
  }

  /** With the column: signs out of place are hard to see. */
  malformedAt(offset: number, reason: string): PropertySourceError {
    const { line, column } = this.originAt(offset);
    return new PropertySourceError(this.name, line, reason, column);
  }
}

/** How many of the numbers, which ascend, are at most the limit. */
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
