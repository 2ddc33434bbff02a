// Assembles environments: overrides first, then the sources of every backend with protected values decrypted.
import { LRUCache } from 'lru-cache';
import type {
  BackendEnvironment,
  EnvironmentBackend,
  PropertySource,
} from '../backends/environment-backend.js';
import type { EnvironmentAddress } from './environment-request.js';
import type { CipherValues } from './cipher-values.js';
import { environmentEvents } from './environment-events.js';
import { estimateSize } from './size-estimate.js';

/** Immutable. Unchanged content is the same object, so results derived from it can be cached by identity. */
export interface Environment {
  readonly name: string;
  readonly profile: string;
  readonly label: string | undefined;
  readonly version: string | null;
  readonly state: string | null;
  /** The strongest first. */
  readonly sources: readonly PropertySource[];
}

export interface EnvironmentsOptions {
  /** The strongest first. Unchanged answers must be the same objects. */
  readonly backends: readonly EnvironmentBackend[];
  readonly overrides: PropertySource | undefined;
  /** Undefined when protected values are served encrypted. */
  readonly protectedValues: CipherValues | undefined;
  /** The maximum size of the cache in bytes, by estimate. */
  readonly capacity: number;
}

interface CacheEntry {
  readonly parts: readonly BackendEnvironment[];
  readonly environment: Promise<Environment>;
  /** Undefined until `environment` is fulfilled. */
  fulfilled?: Environment;
}

export class Environments {
  private readonly cache: LRUCache<string, CacheEntry>;

  constructor(private readonly options: EnvironmentsOptions) {
    this.cache = new LRUCache({ maxSize: options.capacity });
  }

  /** The result of {@link find}, if it is available without waiting. */
  known(address: EnvironmentAddress): Environment | undefined {
    const entry = this.cache.get(keyOf(address));
    const isCurrent = entry?.parts.every(
      (part, index) => part === this.options.backends[index]?.known?.(address),
    );
    const known = isCurrent === true ? entry?.fulfilled : undefined;
    if (known !== undefined) environmentEvents.publish({ type: 'environment', isCached: true });
    return known;
  }

  /**
   * Returns the whole environment, and the same object until something in it changes.
   * @throws BackendError if any backend fails
   */
  async find(address: EnvironmentAddress): Promise<Environment> {
    const parts = await Promise.all(this.options.backends.map((backend) => backend.find(address)));
    const key = keyOf(address);
    const known = this.cache.get(key);
    const isCached = known?.parts.every((part, index) => part === parts[index]) === true;
    environmentEvents.publish({ type: 'environment', isCached });
    if (isCached) return known.environment;
    const entry: CacheEntry = { parts, environment: this.assemble(address, parts) };
    const size = key.length + estimateSize(parts.flatMap(({ sources }) => sources));
    this.cache.set(key, entry, { size });
    entry.fulfilled = await entry.environment;
    return entry.fulfilled;
  }

  private async assemble(
    { name, profile, label }: EnvironmentAddress,
    parts: readonly BackendEnvironment[],
  ): Promise<Environment> {
    const { overrides, protectedValues } = this.options;
    const found = parts.flatMap((part) => part.sources);
    const sources = protectedValues
      ? await Promise.all(found.map((source) => protectedValues.decryptSource(source)))
      : found;
    // The version of one of several backends would not describe the whole environment.
    const [only] = parts.length === 1 ? parts : [];
    return {
      name,
      profile,
      label,
      version: only?.version ?? null,
      state: only?.state ?? null,
      sources: overrides ? [overrides, ...sources] : sources,
    };
  }
}

/** Names have no line breaks. */
function keyOf({ name, profile, label }: EnvironmentAddress): string {
  return `${name}\n${profile}\n${label ?? ''}`;
}

/**
 * The source of the overrides in the settings; undefined when there are none. `\${x}` becomes `${x}`: loading the settings
 * resolves only placeholders without the backslash.
 */
export function overridesSource(
  overrides: Readonly<Record<string, string>>,
): PropertySource | undefined {
  const entries = Object.entries(overrides);
  if (entries.length === 0) return undefined;
  const properties = entries.map(
    ([key, text]) => [key, { value: text.replaceAll('\\${', '${') }] as const,
  );
  return { name: 'overrides', properties: new Map(properties) };
}
