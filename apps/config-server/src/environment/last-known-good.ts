// Stores the last answer for each environment, to serve it while a backend is unavailable. Callers choose the names, so
// made-up names must not evict real environments: answers with the content of another one are evicted first.
import type { Properties } from '@tessera/property-sources';
import type { BackendEnvironment } from '../backends/environment-backend.js';
import { estimateSize, estimateSourceSize } from './size-estimate.js';

/** In bytes, of an environment without its sources. */
const OVERHEAD = 500;

export class LastKnownGood {
  /** The first environment with each content; the least recently set first. */
  private readonly originals = new Map<string, BackendEnvironment>();
  /** Environments with the content of an original, such as those of made-up names. */
  private readonly copies = new Map<string, BackendEnvironment>();
  /** The key of the original, by content. */
  private readonly originalKeys = new Map<string, string>();
  /** How many environments hold these properties. Environments share most sources, and each counts once. */
  private readonly references = new Map<Properties, number>();
  private size = 0;

  /** @param capacity the maximum size in bytes, by estimate */
  constructor(private readonly capacity: number) {}

  get(key: string): BackendEnvironment | undefined {
    return this.originals.get(key) ?? this.copies.get(key);
  }

  set(key: string, environment: BackendEnvironment): void {
    this.delete(key);
    // It would evict all others, and then itself.
    if (estimateSize(environment.sources) > this.capacity) return;
    const content = contentOf(environment);
    const isCopy = this.originalKeys.has(content);
    if (!isCopy) this.originalKeys.set(content, key);
    (isCopy ? this.copies : this.originals).set(key, environment);
    this.size += OVERHEAD + key.length;
    for (const source of environment.sources) {
      const count = this.references.get(source.properties) ?? 0;
      if (count === 0) this.size += estimateSourceSize(source);
      this.references.set(source.properties, count + 1);
    }
    this.evict();
  }

  private evict(): void {
    while (this.size > this.capacity) {
      const [oldest] = this.copies.size > 0 ? this.copies.keys() : this.originals.keys();
      if (oldest === undefined) return;
      this.delete(oldest);
    }
  }

  private delete(key: string): void {
    const environment = this.get(key);
    if (environment === undefined) return;
    if (this.originals.delete(key)) this.originalKeys.delete(contentOf(environment));
    this.copies.delete(key);
    this.size -= OVERHEAD + key.length;
    for (const source of environment.sources) {
      const count = this.references.get(source.properties) ?? 0;
      if (count > 1) this.references.set(source.properties, count - 1);
      else if (this.references.delete(source.properties)) this.size -= estimateSourceSize(source);
    }
  }
}

function contentOf({ revision, version }: BackendEnvironment): string {
  return `${revision}\n${version ?? ''}`;
}
