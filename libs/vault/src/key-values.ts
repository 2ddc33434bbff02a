// Owns the secrets of one key-value engine, of version 1 or 2. What their keys mean is the caller's affair.
// @see https://developer.hashicorp.com/vault/api-docs/secret/kv
import { fieldsOf, isFields, type VaultAnswer } from './answer.js';
import { unavailable, VaultError, VaultRefusal } from './vault-error.js';

export interface KeyValuesOptions {
  /** `secret`; may have slashes. */
  readonly mount: string;
  /** Asked of Vault unless told. */
  readonly version?: 1 | 2 | undefined;
}

/** As parsed JSON, with every number as a NumberLiteral. */
export type SecretData = Readonly<Record<string, unknown>>;

/** Whoever can ask Vault; the answers are of status 200 or 404. */
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
   * The present version of a secret; undefined where there is none, or it was deleted.
   *
   * @param path below the mount, `/` between its names: `orders`, `eu/orders`
   * @throws VaultError; VAULT_MOUNT_UNUSABLE where the mount is none, or of the other version
   */
  async read(path: string): Promise<SecretData | undefined> {
    // Vault would answer with a redirect; it keeps nothing under such a path.
    if (path.split('/').some((name) => /^\.{0,2}$/.test(name))) return undefined;
    const { mount } = this.options;
    const version = await this.version();
    const place = version === 2 ? `${mount}/data/${path}` : `${mount}/${path}`;
    const answer = await this.vault.get(encoded(place));
    const { status, body } = answer;
    if (status === 404) return this.nothing(answer);
    const data = version === 2 ? fieldsOf(body['data'])['data'] : body['data'];
    if (!isFields(data)) throw unavailable(new Error('a secret that is no object'));
    return data;
  }

  private async version(): Promise<1 | 2> {
    if (this.options.version !== undefined) return this.options.version;
    this.detected ??= this.detect();
    try {
      return await this.detected;
    } catch (error) {
      this.detected = undefined;
      throw error;
    }
  }

  private async detect(): Promise<1 | 2> {
    const path = `sys/internal/ui/mounts/${encoded(this.options.mount)}`;
    const { status, body, reasons } = await this.vault.get(path);
    if (status === 404) throw new VaultRefusal(path, reasons);
    const { version } = fieldsOf(fieldsOf(body['data'])['options']);
    return version === '2' ? 2 : 1;
  }

  /** Nothing there, unless Vault says that nothing can be. */
  private nothing({ body, reasons }: VaultAnswer): undefined {
    const { errors, warnings, data } = body;
    if (isFields(fieldsOf(data)['metadata'])) return undefined;
    if (Array.isArray(errors) && errors.length === 0) return undefined;
    if (errors === undefined && warnings === undefined) throw unavailable(new Error('a bare 404'));
    // The engine may have been upgraded since we asked.
    this.detected = undefined;
    const message = `Vault has no key-value engine of the expected version at ${this.options.mount}.`;
    throw new VaultError('VAULT_MOUNT_UNUSABLE', message, new Error(reasons));
  }
}

function encoded(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/');
}
