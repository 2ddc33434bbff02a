// Owns the memory of files that were read: an unchanged file is neither read nor parsed again.
import { LRUCache } from 'lru-cache';
import { BackendError } from '../backend-error.js';
import type { TreeFile } from '../file-tree.js';
import {
  contentDigest,
  malformed,
  parseFile,
  type ContentDigest,
  type ParsedFile,
} from './parsed-file.js';

/** In bytes, of a file of properties. */
const LARGEST_FILE = 1_048_576;
/** In bytes, of everything that is kept; as estimated. No file that can be read comes to more. */
const CAPACITY = 16 * 1_048_576;
/** In bytes, of a property: itself, its place in the file and in a map, its texts beside their characters. */
const BYTES_PER_PROPERTY = 200;
const BYTES_PER_FAULT = 2000;

/** Faults are kept too: a bad file would else be parsed again for every request. */
type Outcome = ParsedFile | { readonly digest: ContentDigest; readonly fault: BackendError };

export class ParsedFiles {
  private readonly kept = new LRUCache<string, Outcome>({ maxSize: CAPACITY });

  /**
   * What a file holds; undefined where it is another by now.
   *
   * @throws BackendError SOURCE_MALFORMED, BACKEND_UNAVAILABLE
   */
  async of(path: string, file: TreeFile): Promise<ParsedFile | undefined> {
    if (file.size > LARGEST_FILE) return malformed(path, 'is larger than 1 MiB');
    const key = `${path}\0${file.revision ?? ''}`;
    const known = this.kept.get(key);
    if (known && file.revision !== undefined) return documentsOf(known);
    const content = await file.read();
    if (content === undefined) return undefined;
    // What is read again because it just changed need not be parsed again.
    const latest = this.kept.get(key);
    if (latest?.digest === contentDigest(content)) return documentsOf(latest);
    const outcome = outcomeOf(path, content);
    this.kept.set(key, outcome, { size: key.length + sizeOf(outcome, content) });
    return documentsOf(outcome);
  }
}

function outcomeOf(path: string, content: Buffer): Outcome {
  try {
    return parseFile(path, content);
  } catch (error) {
    if (error instanceof BackendError) return { digest: contentDigest(content), fault: error };
    throw error;
  }
}

function documentsOf(outcome: Outcome): ParsedFile {
  if ('fault' in outcome) throw outcome.fault;
  return outcome;
}

/** Values may be slices that keep the whole text; keys are texts of their own. */
function sizeOf(outcome: Outcome, content: Buffer): number {
  if ('fault' in outcome) return BYTES_PER_FAULT;
  const sizes = outcome.documents.flatMap(({ properties }) =>
    Array.from(properties, ([key]) => BYTES_PER_PROPERTY + key.length),
  );
  return sizes.reduce((sum, size) => sum + size, 2 * content.length + BYTES_PER_PROPERTY);
}
