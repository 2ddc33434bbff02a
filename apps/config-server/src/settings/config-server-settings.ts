// The settings of the config server: keys, defaults and the rules between them. @see docs/configuration.md
import { Max, Min } from 'class-validator';
import {
  NeedsRestart,
  VaultSettings,
  boolean,
  type Violation,
  CoreSettings,
  EncryptionSettings,
  Group,
  integer,
  list,
  Setting,
  text,
  TracingSettings,
} from '@tessera/config';
import { isBesideSso } from '@tessera/runtime';
import {
  isLoopback,
  managementServerSettings,
  tlsSettings,
  trustedProxySettings,
} from '@tessera/server';
import { AuditSettings } from './audit-settings.js';
import { ClientsSettings } from './clients-settings.js';
import { EnvironmentSettings } from './environment-settings.js';
import { GitSettings } from './git-settings.js';
import { NativeSettings } from './native-settings.js';
import { PostgresBackendSettings } from './postgres-backend-settings.js';
import { RateLimitSettings } from './rate-limit-settings.js';
import { VaultBackendSettings } from './vault-backend-settings.js';

const BACKENDS = 'config-server.backends';

const BACKEND_NAMES = ['native', 'git', 'vault', 'postgres'] as const;
export type BackendName = (typeof BACKEND_NAMES)[number];

export function isBackendName(name: string): name is BackendName {
  return BACKEND_NAMES.some((known) => known === name);
}

const ManagementServerSettings = managementServerSettings('config-server', 8889);
const TlsSettings = tlsSettings('config-server');
const TrustedProxySettings = trustedProxySettings('config-server');

export class ConfigServerSettings extends CoreSettings {
  @Setting('config-server.host', text) @NeedsRestart() host = '127.0.0.1';
  @Setting('config-server.port', integer) @NeedsRestart() @Min(0) @Max(65_535) port = 8888;
  @Group(ManagementServerSettings) readonly managementServer = new ManagementServerSettings();
  @Group(TracingSettings) readonly tracing = new TracingSettings();
  /** The Vault that settings are read from; the backend `vault` has its own settings. */
  @Group(VaultSettings) readonly settingsVault = new VaultSettings();
  @Group(TlsSettings) readonly tls = new TlsSettings();
  @Group(TrustedProxySettings) readonly proxies = new TrustedProxySettings();
  @Group(ClientsSettings) readonly clients = new ClientsSettings();
  @Group(RateLimitSettings) readonly rateLimit = new RateLimitSettings();

  @Group(EncryptionSettings) readonly encryption = new EncryptionSettings();
  /** Whether the endpoint `/decrypt` exists. */
  @Setting('config-server.decrypt.enabled', boolean) decrypts = true;

  @Group(EnvironmentSettings) readonly environment = new EnvironmentSettings();
  /** In the order of precedence, the first wins. */
  @Setting('config-server.backends', list) backends: readonly string[] = ['native'];
  @Group(NativeSettings) readonly native = new NativeSettings();
  @Group(GitSettings) readonly git = new GitSettings();
  @Group(VaultBackendSettings) readonly vault = new VaultBackendSettings();
  @Group(PostgresBackendSettings) readonly postgres = new PostgresBackendSettings();
  @Group(AuditSettings) readonly audit = new AuditSettings();

  get baseUrl(): string {
    const host = this.host.includes(':') ? `[${this.host}]` : this.host;
    return `${this.tls.isOn ? 'https' : 'http'}://${host}:${this.port}`;
  }

  /** Whether callers need no credentials. */
  get isOpen(): boolean {
    return Object.keys(this.clients.entries).length === 0;
  }

  /** Whether values are served encrypted with a cipher that Spring's clients do not have. */
  get servesWhatSpringCannotRead(): boolean {
    const { key, format } = this.encryption;
    return !this.environment.decrypts && key !== undefined && format !== 'spring';
  }

  /** Whether audit events are stored. Without a setting: where there is a database. */
  get storesAudit(): boolean {
    const hasDatabase = this.postgres.databaseUrl !== undefined;
    return this.audit.enabled ?? (hasDatabase || (this.isActive('dev') && isBesideSso()));
  }

  override get files(): readonly string[] {
    return this.encryption.files;
  }

  get backendNames(): readonly BackendName[] {
    return this.backends.filter(isBackendName);
  }

  override *check(): Iterable<Violation> {
    yield* this.#checkCallers();
    for (const [index, name] of this.backends.entries()) {
      if (!isBackendName(name)) {
        yield { key: BACKENDS, message: `may only name ${BACKEND_NAMES.join(', ')}` };
      } else if (this.backends.indexOf(name) !== index) {
        yield { key: BACKENDS, message: `names ${name} twice`, rule: 'names a backend twice' };
      }
    }
    if (this.backends.length === 0) yield { key: BACKENDS, message: 'must name at least one' };
  }

  *#checkCallers(): Iterable<Violation> {
    if (!this.isOpen) return;
    const remedy = 'name at least one client with its password-hash or token-hash';
    if (!isLoopback(this.host)) {
      const message = `is required where other machines can call: ${remedy}, or set config-server.host=127.0.0.1`;
      yield { key: 'config-server.clients', message };
    } else if (this.isActive('production')) {
      yield {
        key: 'config-server.clients',
        message: `is required in profile production: ${remedy}`,
      };
    } else if (this.proxies.trusted.length > 0) {
      const message = `is required where config-server.proxies.trusted names proxies: ${remedy}`;
      yield { key: 'config-server.clients', message };
    }
  }
}
