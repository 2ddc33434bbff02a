// Owns what is said of a Vault that does not give settings: which setting to mend, and how. Loaded at need.
import { schemeHint } from '@tessera/http-client';
import type { Problem } from '@tessera/settings';
import { SettingsFileError, VaultError, VaultRefusedError } from '@tessera/vault';
import type { VaultSettings } from './vault-settings.js';

/** What a server says may be long. */
const MOST_CHARACTERS = 300;
/** What Node calls the faults of certificates, and of TLS. */
const TRUST_FAULT = /CERT|SIGNATURE|ISSUER|ERR_SSL|ERR_TLS|EPROTO/;

/** Whether it may go by itself: Vault is away or sealed. */
export function isPassing(error: unknown): boolean {
  if (!(error instanceof VaultError) || isTrustFault(error)) return false;
  return error.code === 'VAULT_UNAVAILABLE' || error.code === 'VAULT_SEALED';
}

/** Of what is asked of Vault. */
export interface Asked {
  /** Of the way to Vault. */
  readonly settings: Pick<VaultSettings, 'uri' | 'credential'>;
  /** Of the settings that are not there. */
  readonly origin: string;
}

/** @throws the error itself, where it is none of Vault's and none of a secret's */
export function problemOf(error: unknown, { settings, origin }: Asked): Problem {
  if (error instanceof SettingsFileError) return { key: error.setting, message: error.violation };
  if (error instanceof RangeError) return { origin, message: `is ${error.message}` };
  if (error instanceof VaultRefusedError) return refusal(error, settings.credential, origin);
  if (!(error instanceof VaultError)) throw error;
  const { code, message } = error;
  switch (code) {
    case 'VAULT_UNAVAILABLE':
      return { key: 'vault.uri', message: unavailable(error, settings.uri) };
    case 'VAULT_SEALED':
      return { key: 'vault.uri', message: 'leads to a Vault that is sealed: unseal it' };
    case 'VAULT_MOUNT_UNUSABLE':
      return { key: 'vault.kv.backend', message: `or vault.kv.version is wrong: ${message}` };
    case 'VAULT_REFUSED':
    case 'VAULT_FILE_UNREADABLE':
    case 'VAULT_ENVIRONMENT_UNSAFE':
      return { origin: 'environment', message };
  }
}

function refusal(error: VaultRefusedError, credential: string, origin: string): Problem {
  if (error.isLoginRefused) return { key: credential, message: `opens no Vault: ${told(error)}` };
  return { origin, message: `cannot be read: mend ${credential}, or its policy. ${told(error)}` };
}

function unavailable(error: VaultError, uri: string): string {
  const hint = schemeHint(uri, error.cause);
  if (hint !== undefined) return `leads to no Vault that answers: ${hint}`;
  return isTrustFault(error)
    ? `leads to a server that is not trusted: name the CA of its certificate in vault.ca-file. ${told(error)}`
    : `leads to no Vault that answers: start it, or mend the address. ${told(error)}`;
}

/** With what is behind it, which holds no secret. */
function told(error: VaultError): string {
  const { message, code } = causeOf(error);
  // Of several addresses that were tried in vain, Node's error has the code alone.
  return `${error.message} (${(message || code).slice(0, MOST_CHARACTERS)})`;
}

function isTrustFault(error: VaultError): boolean {
  return TRUST_FAULT.test(causeOf(error).code);
}

function causeOf({ cause }: VaultError): { readonly message: string; readonly code: string } {
  const { message = '', code = '' } = (cause ?? {}) as Partial<NodeJS.ErrnoException>;
  return { message, code };
}
