// Owns putting environments together: what every backend says, overrides in front, protected values opened.
import { LRUCache } from 'lru-cache';
import type {
  BackendEnvironment,
  EnvironmentBackend,
  PropertySource,
} from '../backends/environment-backend.js';
import type { EnvironmentAddress } from './environment-path.js';
import type { Environment } from './environment.js';
import type { CipherValues } from './cipher-values.js';
import { estimateSize } from './size-estimate.js';

export interface EnvironmentsOptions {
  /** The strongest first. Unchanged answers must be the same objects. */
  readonly backends: readonly EnvironmentBackend[];
  readonly overrides: PropertySource | undefined;
  /** Undefined where values are served as they are. */
  readonly protectedValues: CipherValues | undefined;
  /** The most bytes of environments to keep, by estimate. */
  readonly capacity: number;
}

interface Derived {
  readonly parts: readonly BackendEnvironment[];
  readonly environment: Promise<Environment>;
  /** Undefined while it is being made, and where that failed. */
  made?: Environment;
}

export class Environments {
  private readonly derived: LRUCache<string, Derived>;

  constructor(private readonly options: EnvironmentsOptions) {
    this.derived = new LRUCache({ maxSize: options.capacity });
  }

  /** What {@link find} would give, where nothing has to be asked or made for it. */
  known(address: EnvironmentAddress): Environment | undefined {
    const derived = this.derived.get(keyOf(address));
    const isCurrent = derived?.parts.every(
      (part, index) => part === this.options.backends[index]?.known?.(address),
    );
    return isCurrent === true ? derived?.made : undefined;
  }

  /**
   * The environment whole; the same object as long as nothing in it has changed.
   * @throws BackendError where one backend cannot say its part
   */
  async find(address: EnvironmentAddress): Promise<Environment> {
    const parts = await Promise.all(this.options.backends.map((backend) => backend.find(address)));
    const key = keyOf(address);
    const known = this.derived.get(key);
    if (known?.parts.every((part, index) => part === parts[index])) return known.environment;
    const derived: Derived = { parts, environment: this.derive(address, parts) };
    const size = key.length + estimateSize(parts.flatMap(({ sources }) => sources));
    this.derived.set(key, derived, { size });
    derived.made = await derived.environment;
    return derived.made;
  }

  private async derive(
    { name, profile, label }: EnvironmentAddress,
    parts: readonly BackendEnvironment[],
  ): Promise<Environment> {
    const { overrides, protectedValues } = this.options;
    const found = parts.flatMap((part) => part.sources);
    const sources = protectedValues
      ? await Promise.all(found.map((source) => protectedValues.open(source)))
      : found;
    // Of several backends, none speaks for the whole.
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

/** No name holds a line break. */
function keyOf({ name, profile, label }: EnvironmentAddress): string {
  return `${name}\n${profile}\n${label ?? ''}`;
}
