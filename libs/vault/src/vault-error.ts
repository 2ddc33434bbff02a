// The errors of this library. Messages and causes contain no token and no secret.
import { CodedError } from '@tessera/runtime';

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

/** Vault failed, or our access to it. An absent secret is not an error. */
export class VaultError extends CodedError<VaultErrorCode> {}

/** A file that a setting names is unusable. */
export class SettingsFileError extends VaultError {
  /** @param violation a predicate for the setting's key */
  constructor(
    readonly setting: string,
    readonly violation: string,
    cause: unknown,
  ) {
    super('VAULT_FILE_UNREADABLE', `${setting}: ${violation}`, cause);
  }
}

/** Vault is unreachable, the connection broke, or there was no valid answer in time. */
export function unavailable(cause: unknown): VaultError {
  return new VaultError('VAULT_UNAVAILABLE', 'Vault is not available.', cause);
}

/** Vault refused a request. */
export class VaultRefusedError extends VaultError {
  /** @param reason from Vault */
  constructor(
    readonly path: string,
    reason: string,
  ) {
    super('VAULT_REFUSED', `Vault refuses ${path}.`, new Error(reason));
  }

  /** Whether the credentials were refused; else the policy forbids the request. */
  get isLoginRefused(): boolean {
    return /^auth\/.*\/login$/.test(this.path);
  }
}
