// The settings of the command line: a part of the SSO application's settings, from the same files.
import { AuditSettings } from '@tessera/audit';
import { DEFAULT_ARGON2_PARAMETERS, type Argon2Parameters } from '@tessera/crypto';
import {
  ConfigServerClientSettings,
  remoteSources,
  VaultSettings,
  CoreSettings,
  Group,
  integer,
  loadSettings,
  sealingKeySettings,
  secret,
  Setting,
  type LoadedSettings,
  type Secret,
  type SettingsContext,
} from '@tessera/config';

const SigningKeySettings = sealingKeySettings('sso.oidc.sealing-keys');

export class CliSettings extends CoreSettings {
  @Group(ConfigServerClientSettings) readonly configServer = new ConfigServerClientSettings();
  @Group(VaultSettings) readonly vault = new VaultSettings();
  @Group(AuditSettings) readonly audit = new AuditSettings();
  @Group(SigningKeySettings) readonly signingKeys = new SigningKeySettings();
  /** A PostgreSQL URL; without one, profile dev uses the embedded PostgreSQL of `tessera start`. */
  @Setting('database.url', secret) databaseUrl: Secret | undefined = undefined;
  @Setting('sso.authentication.accounts.argon2.memory', integer)
  argon2Memory = DEFAULT_ARGON2_PARAMETERS.memory;
  @Setting('sso.authentication.accounts.argon2.iterations', integer)
  argon2Iterations = DEFAULT_ARGON2_PARAMETERS.iterations;
  @Setting('sso.authentication.accounts.argon2.parallelism', integer)
  argon2Parallelism = DEFAULT_ARGON2_PARAMETERS.parallelism;

  /** The parameters of new password hashes, as in the SSO application. */
  get argon2(): Argon2Parameters {
    const { argon2Memory, argon2Iterations, argon2Parallelism } = this;
    return { memory: argon2Memory, iterations: argon2Iterations, parallelism: argon2Parallelism };
  }
}

/** Other settings below `sso`, `database` and `vault` are for the servers, and are not checked here. */
export function loadCliSettings(
  context: Omit<SettingsContext, 'application'>,
): Promise<LoadedSettings<CliSettings>> {
  return loadSettings(CliSettings, {
    ...context,
    application: 'sso',
    sharedPrefixes: ['sso', 'database', 'vault'],
    sources: remoteSources(),
    readOnly: true,
  });
}
