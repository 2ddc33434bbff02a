// Keeps the attributes that sources have of users for a while, within bounds of number and size.
import { LRUCache } from 'lru-cache';
import type { Attributes } from '@tessera/services';

const MAX_ENTRIES = 10_000;
/** Of all names and values together. */
const MAX_CHARACTERS = 16_777_216;

interface Entry {
  readonly attributes: Attributes;
  readonly until: number;
}

export class AttributeCache {
  private readonly entries = new LRUCache<string, Entry>({
    max: MAX_ENTRIES,
    maxSize: MAX_CHARACTERS,
    sizeCalculation: ({ attributes }) => sizeOf(attributes),
  });

  /**
   * @param keepMs how long attributes are kept, in milliseconds; 0: not at all
   * @param now monotonic, in milliseconds
   */
  constructor(
    private readonly keepMs: number,
    private readonly now = (): number => performance.now(),
  ) {}

  find(source: string, id: string): Attributes | undefined {
    const entry = this.entries.get(keyOf(source, id));
    return entry !== undefined && this.now() < entry.until ? entry.attributes : undefined;
  }

  /** @param attributes as they were read now; undefined without such a user, who is not kept */
  keep(source: string, id: string, attributes: Attributes | undefined): void {
    const key = keyOf(source, id);
    if (attributes === undefined || this.keepMs === 0) this.entries.delete(key);
    else this.entries.set(key, { attributes, until: this.now() + this.keepMs });
  }
}

/** Neither has a line end. */
function keyOf(source: string, id: string): string {
  return `${source}\n${id}`;
}

function sizeOf(attributes: Attributes): number {
  const texts = Object.entries(attributes).flatMap(([name, values]) => [name, ...values]);
  return texts.reduce((sum, { length }) => sum + length, 1);
}
