// Violations for a Vault that cannot be read: which setting to correct, and how. Imported lazily.
import { schemeHint } from '@tessera/runtime';
import { SettingsFileError, VaultError, VaultRefusedError } from '@tessera/vault';
import type { ReportedViolation } from '../../settings/index.js';
import type { VaultSettings } from './vault-settings.js';

/** Messages of servers can be long. */
const MAX_LENGTH = 300;
/** Node.js error codes of certificates and TLS. */
const UNTRUSTED = /CERT|SIGNATURE|ISSUER|ERR_SSL|ERR_TLS|EPROTO/;

/** Whether a retry may succeed: Vault is unavailable or sealed. */
export function isTransient(error: unknown): boolean {
  if (!(error instanceof VaultError) || isUntrusted(error)) return false;
  return error.code === 'VAULT_UNAVAILABLE' || error.code === 'VAULT_SEALED';
}

export interface VaultOrigin {
  /** The settings of the connection. */
  readonly settings: Pick<VaultSettings, 'uri' | 'credential'>;
  /** The origin of the missing values. */
  readonly origin: string;
}

/** @throws the error itself, if neither Vault nor the content of a secret is its cause */
export function violationOf(error: unknown, { settings, origin }: VaultOrigin): ReportedViolation {
  if (error instanceof SettingsFileError) return { key: error.setting, message: error.violation };
  if (error instanceof RangeError) return { origin, message: `is ${error.message}` };
  if (error instanceof VaultRefusedError) {
    return refusalViolation(error, settings.credential, origin);
  }
  if (!(error instanceof VaultError)) throw error;
  const { code, message } = error;
  switch (code) {
    case 'VAULT_UNAVAILABLE':
      return { key: 'vault.uri', message: unavailable(error, settings.uri) };
    case 'VAULT_SEALED':
      return { key: 'vault.uri', message: 'names a Vault that is sealed: unseal it' };
    case 'VAULT_MOUNT_UNUSABLE':
      return { key: 'vault.kv.backend', message: `or vault.kv.version is wrong: ${message}` };
    case 'VAULT_REFUSED':
    case 'VAULT_FILE_UNREADABLE':
    case 'VAULT_ENVIRONMENT_UNSAFE':
      return { origin: 'environment', message };
  }
}

function refusalViolation(
  error: VaultRefusedError,
  credential: string,
  origin: string,
): ReportedViolation {
  const reason = withCause(error);
  if (error.isLoginRefused) return { key: credential, message: `is refused by Vault: ${reason}` };
  return { origin, message: `cannot be read: correct ${credential}, or its policy. ${reason}` };
}

function unavailable(error: VaultError, uri: string): string {
  const hint = schemeHint(uri, error.cause);
  if (hint !== undefined) return `names no Vault that answers: ${hint}`;
  const reason = withCause(error);
  return isUntrusted(error)
    ? `names a server that is not trusted: set vault.ca-file to the CA of its certificate. ${reason}`
    : `names no Vault that answers: start it, or correct the address. ${reason}`;
}

/** The message with that of its cause, which contains no secrets. */
function withCause(error: VaultError): string {
  const { message, code } = causeOf(error);
  // If several addresses fail, the error of Node.js has only a code.
  return `${error.message} (${(message || code).slice(0, MAX_LENGTH)})`;
}

function isUntrusted(error: VaultError): boolean {
  return UNTRUSTED.test(causeOf(error).code);
}

function causeOf({ cause }: VaultError): { readonly message: string; readonly code: string } {
  const { message = '', code = '' } = (cause ?? {}) as Partial<NodeJS.ErrnoException>;
  return { message, code };
}
