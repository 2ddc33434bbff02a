// Owns how much a file may come to once it is read. A list in one value and aliases of aliases make much of little.
import type { Properties } from './property-document.js';
import { PropertySourceError } from './property-source-error.js';
import type { SourceText } from './source-text.js';

/** What an entry counts as beside its own characters: it takes time and room as well. */
export const ENTRY_SIZE = 48;

/** Characters that keys and values of a file may come to. */
const LARGEST_CONTENT = 2 * 1024 * 1024;
const TOO_MUCH_CONTENT = 'comes to more than 2 Mi characters of keys and values: split it';

const MOST_DOCUMENTS = 1000;

export class ContentBudget {
  #left = LARGEST_CONTENT;

  constructor(private readonly source: SourceText) {}

  /** @param offset of what is to be held, for errors @throws PropertySourceError SOURCE_UNREADABLE */
  spend(offset: number, size: number): void {
    this.#left -= size;
    if (this.#left < 0) throw this.source.unreadableAt(offset, TOO_MUCH_CONTENT);
  }
}

/** @throws PropertySourceError SOURCE_UNREADABLE */
export function refuseManyDocuments(documents: readonly Properties[], { name }: SourceText): void {
  const [first] = documents[MOST_DOCUMENTS]?.values() ?? [];
  if (documents.length <= MOST_DOCUMENTS) return;
  throw new PropertySourceError(
    name,
    first?.origin?.line ?? 1,
    'holds more than 1,000 documents: split it',
  );
}
