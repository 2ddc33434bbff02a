// Owns what the environment of a process may not say about Vault. The environment itself comes in from outside.
import { VaultError } from './vault-error.js';

/**
 * `VAULT_SKIP_VERIFY` has no effect here: certificates are always checked. Whoever set it expects otherwise, and
 * node-vault would take even `false` for yes.
 *
 * @throws VaultError VAULT_ENVIRONMENT_UNSAFE
 */
export function refuseUnsafeEnvironment(
  environment: Readonly<Record<string, string | undefined>>,
): void {
  if ((environment['VAULT_SKIP_VERIFY'] ?? '') === '') return;
  throw new VaultError(
    'VAULT_ENVIRONMENT_UNSAFE',
    'VAULT_SKIP_VERIFY is set: unset it, and name the CA of Vault’s certificate instead',
  );
}
