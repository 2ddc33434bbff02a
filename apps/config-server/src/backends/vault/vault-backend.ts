// The backend `vault`: each secret is a property source. Labels have no effect.
import {
  NumberLiteral,
  type Properties,
  type Property,
  type Scalar,
} from '@tessera/property-sources';
import { VaultError, type SecretData } from '@tessera/vault';
import { BackendError } from '../backend-error.js';
import type {
  BackendEnvironment,
  EnvironmentBackend,
  EnvironmentQuery,
  PropertySource,
} from '../environment-backend.js';
import { revisionOf, storedNames, type StoredName } from '../stored-sources.js';

/** The nesting of a secret is bounded, so that it cannot overflow the stack. */
const MAX_DEPTH = 100;

export interface SecretStore {
  /** Undefined where the secret does not exist. @throws VaultError */
  read(path: string): Promise<SecretData | undefined>;
  close(): void;
}

/** Every request reads `orders,prod`, `application,prod`, `orders` and `application` concurrently. */
export class VaultBackend implements EnvironmentBackend {
  readonly name = 'vault';

  constructor(private readonly secrets: SecretStore) {}

  async find(query: EnvironmentQuery): Promise<BackendEnvironment> {
    try {
      const read = await Promise.all(storedNames(query).map((name) => this.sourceAt(name)));
      const sources = read.filter((source) => source !== undefined);
      return { revision: revisionOf(sources), version: null, state: null, sources };
    } catch (error) {
      throw error instanceof VaultError ? BackendError.unavailable(this.name, error) : error;
    }
  }

  close(): Promise<void> {
    this.secrets.close();
    return Promise.resolve();
  }

  private async sourceAt({
    application,
    profile,
  }: StoredName): Promise<PropertySource | undefined> {
    const path = profile === undefined ? application : `${application},${profile}`;
    const secret = await this.secrets.read(path);
    return secret && { name: `vault:${path}`, properties: propertiesOf(path, secret) };
  }
}

/** Flattens a secret, as YAML of the same content would be: `{a: {b: [1]}}` becomes `a.b[0]`. */
function propertiesOf(path: string, secret: SecretData): Properties {
  const properties = new Map<string, Property>();
  try {
    for (const [key, value] of flatten('', secret, MAX_DEPTH)) properties.set(key, { value });
    return properties;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new BackendError('SOURCE_MALFORMED', `vault:${path} is ${error.message}`);
  }
}

type Entry = readonly [key: string, value: Scalar];

/** @throws RangeError if the value has more levels */
function* flatten(key: string, value: unknown, levels: number): Iterable<Entry> {
  if (levels === 0) throw new RangeError(`nested deeper than ${MAX_DEPTH} levels`);
  if (isScalar(value)) {
    yield [key, value];
  } else if (value === null || (Array.isArray(value) && value.length === 0)) {
    yield [key, ''];
  } else if (Array.isArray(value)) {
    for (const [index, each] of value.entries()) {
      yield* flatten(`${key}[${index}]`, each, levels - 1);
    }
  } else {
    for (const [name, each] of Object.entries(value as object)) {
      yield* flatten(joinKey(key, name), each, levels - 1);
    }
  }
}

function isScalar(value: unknown): value is Scalar {
  return typeof value === 'string' || typeof value === 'boolean' || value instanceof NumberLiteral;
}

/** A name that begins with `[` is an index. */
function joinKey(key: string, name: string): string {
  return key === '' || name.startsWith('[') ? `${key}${name}` : `${key}.${name}`;
}
