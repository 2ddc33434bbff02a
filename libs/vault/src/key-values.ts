// Reads secrets of one key-value engine, version 1 or 2.
// @see https://developer.hashicorp.com/vault/api-docs/secret/kv
import { fieldsOf, isFields, type VaultAnswer } from './answer.js';
import { unavailable, VaultError, VaultRefusedError } from './vault-error.js';

export interface KeyValuesOptions {
  /** `secret`; may have slashes. */
  readonly mount: string;
  /** Default: requested from Vault. */
  readonly version?: 1 | 2 | undefined;
}

/** Parsed JSON with every number as a NumberLiteral. */
export type SecretData = Readonly<Record<string, unknown>>;

/** Sends GET requests; the answers have status 200 or 404. */
interface Reader {
  get(path: string): Promise<VaultAnswer>;
}

export class KeyValues {
  private detected: Promise<1 | 2> | undefined;

  constructor(
    private readonly vault: Reader,
    private readonly options: KeyValuesOptions,
  ) {}

  /**
   * The current version of a secret; undefined where it is absent or deleted.
   *
   * @param path below the mount, `/` between its names: `orders`, `eu/orders`
   * @throws VaultError; VAULT_MOUNT_UNUSABLE where the mount does not exist, or has the other version
   */
  async read(path: string): Promise<SecretData | undefined> {
    // Vault answers such a path with a redirect, and stores no secret there.
    if (path.split('/').some((name) => /^\.{0,2}$/.test(name))) return undefined;
    const { mount } = this.options;
    const version = await this.engineVersion();
    const location = version === 2 ? `${mount}/data/${path}` : `${mount}/${path}`;
    const answer = await this.vault.get(encodePath(location));
    const { status, body } = answer;
    if (status === 404) return this.absentOrThrow(answer);
    const data = version === 2 ? fieldsOf(body['data'])['data'] : body['data'];
    if (!isFields(data)) throw unavailable(new Error('a secret that is no object'));
    return data;
  }

  private async engineVersion(): Promise<1 | 2> {
    if (this.options.version !== undefined) return this.options.version;
    this.detected ??= this.requestVersion();
    try {
      return await this.detected;
    } catch (error) {
      this.detected = undefined;
      throw error;
    }
  }

  private async requestVersion(): Promise<1 | 2> {
    const path = `sys/internal/ui/mounts/${encodePath(this.options.mount)}`;
    const { status, body, reasons } = await this.vault.get(path);
    if (status === 404) throw new VaultRefusedError(path, reasons);
    const { version } = fieldsOf(fieldsOf(body['data'])['options']);
    return version === '2' ? 2 : 1;
  }

  /** Undefined for an absent secret. @throws VaultError for a 404 with another reason */
  private absentOrThrow({ body, reasons }: VaultAnswer): undefined {
    const { errors, warnings, data } = body;
    if (isFields(fieldsOf(data)['metadata'])) return undefined;
    if (Array.isArray(errors) && errors.length === 0) return undefined;
    if (errors === undefined && warnings === undefined) throw unavailable(new Error('a bare 404'));
    // The engine may have been upgraded since the version was requested.
    this.detected = undefined;
    const message = `Vault has no key-value engine of the expected version at ${this.options.mount}.`;
    throw new VaultError('VAULT_MOUNT_UNUSABLE', message, new Error(reasons));
  }
}

function encodePath(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/');
}
