// Owns what was last known of each environment, for the time when a backend is away. Callers choose the names: whatever
// they ask for, an environment that others do not just repeat is forgotten last.
import type { Properties } from '@tessera/property-sources';
import type { BackendEnvironment } from '../backends/environment-backend.js';
import { estimateSize, estimateSourceSize } from './size-estimate.js';

/** In bytes, of an environment beside its sources. */
const OVERHEAD = 500;

export class LastKnownGood {
  /** Environments of which no other is a copy, that which was longest not heard of first. */
  private readonly originals = new Map<string, BackendEnvironment>();
  /** What made-up names get: all that an original has. */
  private readonly copies = new Map<string, BackendEnvironment>();
  /** The key of the original with that content. */
  private readonly owners = new Map<string, string>();
  /** Environments have most sources in common, and each weighs once. */
  private readonly holders = new Map<Properties, number>();
  private weight = 0;

  /** @param capacity the most bytes to keep, by estimate */
  constructor(private readonly capacity: number) {}

  get(key: string): BackendEnvironment | undefined {
    return this.originals.get(key) ?? this.copies.get(key);
  }

  set(key: string, environment: BackendEnvironment): void {
    this.delete(key);
    // It would push out all others, and itself in the end.
    if (estimateSize(environment.sources) > this.capacity) return;
    const content = contentOf(environment);
    const isCopy = this.owners.has(content);
    if (!isCopy) this.owners.set(content, key);
    (isCopy ? this.copies : this.originals).set(key, environment);
    this.weight += OVERHEAD + key.length;
    for (const source of environment.sources) {
      const count = this.holders.get(source.properties) ?? 0;
      if (count === 0) this.weight += estimateSourceSize(source);
      this.holders.set(source.properties, count + 1);
    }
    this.forget();
  }

  private forget(): void {
    while (this.weight > this.capacity) {
      const [oldest] = this.copies.size > 0 ? this.copies.keys() : this.originals.keys();
      if (oldest === undefined) return;
      this.delete(oldest);
    }
  }

  private delete(key: string): void {
    const environment = this.get(key);
    if (environment === undefined) return;
    if (this.originals.delete(key)) this.owners.delete(contentOf(environment));
    this.copies.delete(key);
    this.weight -= OVERHEAD + key.length;
    for (const source of environment.sources) {
      const count = this.holders.get(source.properties) ?? 0;
      if (count > 1) this.holders.set(source.properties, count - 1);
      else if (this.holders.delete(source.properties)) this.weight -= estimateSourceSize(source);
    }
  }
}

function contentOf({ revision, version }: BackendEnvironment): string {
  return `${revision}\n${version ?? ''}`;
}
