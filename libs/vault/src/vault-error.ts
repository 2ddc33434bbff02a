// The errors of this library. Messages and causes hold no token and nothing of what Vault keeps.

/** Every code a {@link VaultError} can carry. */
export const VAULT_ERROR_CODES = [
  'VAULT_UNAVAILABLE',
  'VAULT_SEALED',
  'VAULT_REFUSED',
  'VAULT_MOUNT_UNUSABLE',
  'VAULT_FILE_UNREADABLE',
  'VAULT_ENVIRONMENT_UNSAFE',
] as const;

export type VaultErrorCode = (typeof VAULT_ERROR_CODES)[number];

/** What this library throws: a fault of Vault or of our access to it, never the absence of a secret. */
export class VaultError extends Error {
  override readonly name = 'VaultError';

  constructor(
    readonly code: VaultErrorCode,
    message: string,
    cause?: unknown,
  ) {
    super(message, cause === undefined ? undefined : { cause });
  }
}

/** A file cannot be used that a setting names. */
export class SettingsFileError extends VaultError {
  /** @param fault reads on from the setting's key */
  constructor(
    readonly setting: string,
    readonly fault: string,
    cause: unknown,
  ) {
    super('VAULT_FILE_UNREADABLE', `${setting}: ${fault}`, cause);
  }
}

/** Vault cannot be reached, was lost, or did not answer soundly in time. */
export function unavailable(cause: unknown): VaultError {
  return new VaultError('VAULT_UNAVAILABLE', 'Vault is not available.', cause);
}

/** Vault does not let us. */
export class VaultRefusal extends VaultError {
  /** @param reason why, in Vault's own words */
  constructor(
    readonly path: string,
    reason: string,
  ) {
    super('VAULT_REFUSED', `Vault refuses ${path}.`, new Error(reason));
  }

  /** Whether it takes what we log in with for wrong; else whoever we are may not do that. */
  get isOfLogin(): boolean {
    return /^auth\/.*\/login$/.test(this.path);
  }
}
