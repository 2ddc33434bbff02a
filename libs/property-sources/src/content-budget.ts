// Limits the size of a file after parsing: lists in one value, and aliases of aliases, expand.
import type { Properties } from './property-document.js';
import { PropertySourceError } from './property-source-error.js';
import type { SourceText } from './source-text.js';

/** Counted for each entry besides its characters, for its time and memory. */
export const ENTRY_SIZE = 48;

/** In characters, of all keys and values of a file. */
const MAX_CONTENT = 2 * 1024 * 1024;
const TOO_MUCH_CONTENT = 'comes to more than 2 Mi characters of keys and values: split it';

const MAX_DOCUMENTS = 1000;

export class ContentBudget {
  #left = MAX_CONTENT;

  constructor(private readonly source: SourceText) {}

  /** @param offset of the content, for errors @throws PropertySourceError SOURCE_UNREADABLE */
  spend(offset: number, size: number): void {
    this.#left -= size;
    if (this.#left < 0) throw this.source.unreadableAt(offset, TOO_MUCH_CONTENT);
  }
}

/** @throws PropertySourceError SOURCE_UNREADABLE */
export function refuseManyDocuments(documents: readonly Properties[], { name }: SourceText): void {
  const [first] = documents[MAX_DOCUMENTS]?.values() ?? [];
  if (documents.length <= MAX_DOCUMENTS) return;
  throw new PropertySourceError(
    name,
    first?.origin?.line ?? 1,
    'holds more than 1,000 documents: split it',
  );
}
