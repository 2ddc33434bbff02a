// Owns the backend `vault`: secrets as sources. Labels are none of its own: any is as good as another. Access to Vault is
// the library's affair.
import { VaultError, type SecretData } from '@tessera/vault';
import { BackendError } from '../backend-error.js';
import type {
  BackendEnvironment,
  EnvironmentBackend,
  EnvironmentQuery,
  PropertySource,
} from '../environment-backend.js';
import { revisionOf, storedNames, type StoredName } from '../stored-sources.js';
import { flattenSecret } from './flatten-secret.js';

/** Where secrets are; undefined for one that is not there. */
export interface SecretStore {
  /** @throws VaultError */
  read(path: string): Promise<SecretData | undefined>;
  close(): void;
}

/** Reads `orders,prod`, `application,prod`, `orders` and `application`, all at once, for every request. */
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

function propertiesOf(path: string, secret: SecretData): PropertySource['properties'] {
  try {
    return flattenSecret(secret);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new BackendError('SOURCE_MALFORMED', `vault:${path} is ${error.message}`);
  }
}
