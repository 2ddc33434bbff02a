// The settings of the SSO application: keys, defaults and rules. @see docs/configuration.md
import { resolve } from 'node:path';
import { Matches, Max, Min } from 'class-validator';
import { AuditSettings } from '@tessera/audit';
import type { PasswordHashingOptions } from '@tessera/crypto';
import { urlFormatViolation } from '@tessera/runtime';
import {
  ConfigServerClientSettings,
  VaultSettings,
  boolean,
  type Violation,
  CoreSettings,
  duration,
  Group,
  integer,
  list,
  map,
  NamedGroups,
  NeedsRestart,
  oneOf,
  secret,
  Secret,
  sealingKeySettings,
  secretList,
  Setting,
  text,
  texts,
  TracingSettings,
} from '@tessera/config';
import {
  isLoopback,
  managementServerSettings,
  trustedProxySettings,
  type WorkerCount,
} from '@tessera/server';
import { HANDLER_NAMES, isHandlerName, type HandlerName } from '../authentication/handler-names.js';
import {
  readStaticUsers,
  StaticUsersError,
  type StaticAttributes,
  type StaticUser,
} from '../authentication/static-users.js';
import { DIALECTS, type Dialect } from '../protocol/dialect.js';
import { isModuleName, type ModuleName } from './module-names.js';
import { Argon2Settings } from './argon2-settings.js';
import { checkBaseUrl } from './base-url-rules.js';
import { directoriesOf, DirectoryNames } from './directory-names.js';
import { LdapSettings } from './ldap-settings.js';
import { LoginSettings } from './login-settings.js';
import { ManagementSettings } from './management-settings.js';
import { checkModules } from './module-rules.js';
import { OidcSettings } from './oidc-settings.js';
import { OperatorSettings } from './operator-settings.js';
import { OutgoingSettings } from './outgoing-settings.js';
import { PasswordSettings } from './password-settings.js';
import { PrincipalSettings } from './principal-settings.js';
import { RateLimitSettings } from './rate-limit-settings.js';
import { RestServicesSettings } from './rest-services-settings.js';
import { SqlSettings } from './sql-settings.js';
import { ThemeSettings } from './theme-settings.js';
import { ThrottleSettings } from './throttle-settings.js';
import { TicketSettings } from './ticket-settings.js';
import { TlsSettings } from './tls-settings.js';
import { X509Settings } from './x509-settings.js';

const BUNDLED_SERVICES = resolve(import.meta.dirname, '../../../../../apps/sso/services');
const HOUR = 3_600_000;

const DEMO_USER = 'casuser::Mellon';
/** Attributes of the demo user of profile dev; unused when other users are configured. */
const DEMO_ATTRIBUTES: StaticAttributes = {
  casuser: {
    mail: ['casuser@example.org'],
    displayName: ['Cas <User> & Co'],
    memberOf: ['staff', 'admin'],
  },
};

const ManagementServerSettings = managementServerSettings('sso', 8081);
const TrustedProxySettings = trustedProxySettings('sso');
const SigningKeySettings = sealingKeySettings('sso.oidc.sealing-keys');

export class SsoSettings extends CoreSettings {
  /** PostgreSQL URL; without one, profile dev uses the embedded PostgreSQL of `tessera start`. */
  @Setting('database.url', secret) databaseUrl: Secret | undefined = undefined;
  @Setting('database.pool-size', integer) @Min(2) @Max(1_000) poolSize = 10;

  /** The public URL of the server; its path is the context path of every route. */
  @Setting('sso.base-url', text) givenBaseUrl = '';
  @Setting('sso.host', text, { dev: '127.0.0.1' }) @NeedsRestart() host = '0.0.0.0';
  @Setting('sso.port', integer) @NeedsRestart() @Min(0) @Max(65_535) port = 8080;
  @Setting('sso.workers', text)
  @NeedsRestart()
  @Matches(/^(auto|[1-9]\d{0,2})$/, { message: 'must be auto or a number of processes' })
  workers = '1';
  @Setting('sso.modules', list, { dev: ['login', 'oidc', 'rest', 'rest-services'] })
  modules: readonly string[] = ['login', 'rest'];
  @Setting('sso.dialect', oneOf(...DIALECTS)) dialect: Dialect = 'documented';

  @Group(ConfigServerClientSettings) readonly configServer = new ConfigServerClientSettings();
  @Group(VaultSettings) readonly vault = new VaultSettings();
  @Group(TrustedProxySettings) readonly proxies = new TrustedProxySettings();
  @Group(TlsSettings) readonly tls = new TlsSettings();
  @Group(ThrottleSettings) readonly throttle = new ThrottleSettings();
  @Group(RateLimitSettings) readonly rateLimit = new RateLimitSettings();
  @Group(RestServicesSettings) readonly restServices = new RestServicesSettings();
  @Group(X509Settings) readonly x509 = new X509Settings();
  @Group(ManagementSettings) readonly management = new ManagementSettings();
  @Group(ManagementServerSettings) readonly managementServer = new ManagementServerSettings();
  @Group(OperatorSettings) readonly operator = new OperatorSettings();
  @Group(AuditSettings) readonly audit = new AuditSettings();
  @Group(TracingSettings) readonly tracing = new TracingSettings();

  /** Whether answers of the CAS 2 endpoints contain attributes. */
  @Setting('sso.validation.cas2-attributes', boolean) cas2Attributes = true;

  /** Whether services are told when a session ends. */
  @Setting('sso.logout.enabled', boolean) singleLogout = true;
  @Group(OutgoingSettings) readonly outgoing = new OutgoingSettings();
  @Group(ThemeSettings) readonly theme = new ThemeSettings();
  @Group(LoginSettings) readonly login = new LoginSettings();
  /** Keys that seal the private keys of OpenID Connect in the database. */
  @Group(SigningKeySettings) readonly signingKeys = new SigningKeySettings();
  @Group(OidcSettings) readonly oidc = new OidcSettings();
  @Group(TicketSettings) readonly tickets = new TicketSettings();

  /** Authentication handlers, tried in this order. */
  @Setting('sso.authentication.handlers', list, { dev: ['static', 'accounts'] })
  handlers: readonly string[] = ['accounts'];
  @Setting('sso.authentication.static.users', secretList, {
    dev: [new Secret(DEMO_USER)],
  })
  staticUsers: readonly Secret[] = [];
  @Setting('sso.authentication.static.attributes', map(map(texts)), {
    dev: DEMO_ATTRIBUTES,
  })
  staticAttributes: StaticAttributes = {};
  @Group(Argon2Settings) readonly argon2 = new Argon2Settings();
  @Group(DirectoryNames) readonly directoryNames = new DirectoryNames();
  @Group(LdapSettings) readonly ldap = new LdapSettings();
  @NamedGroups('sso.authentication.ldap', LdapSettings)
  readonly namedDirectories: ReadonlyMap<string, LdapSettings> = new Map();
  @Group(PasswordSettings) readonly passwords = new PasswordSettings();
  @Group(SqlSettings) readonly sql = new SqlSettings();
  @NamedGroups('sso.authentication.sql', SqlSettings)
  readonly namedSqlSources: ReadonlyMap<string, SqlSettings> = new Map();
  @Group(PrincipalSettings) readonly principals = new PrincipalSettings();

  /** Directory of JSON service definitions, read at start. */
  @Setting('sso.services.import', text, { dev: BUNDLED_SERVICES }) @NeedsRestart() servicesImport =
    '';
  /** Whether a refused file does not stop the import of the others. */
  @Setting('sso.services.skip-unreadable', boolean) @NeedsRestart() skipUnreadable = false;
  /** Released to every service, but one with `defaultAttributes: false`. */
  @Setting('sso.services.default-attributes', list) defaultAttributes: readonly string[] = [];
  /** How often the registry polls the database, in addition to change notifications. */
  @Setting('sso.services.poll-interval', duration)
  @Min(100)
  @Max(HOUR)
  servicesPollInterval = 5_000;

  /** The users of the handler `static`. @throws StaticUsersError with every violation, without passwords */
  get demoUsers(): readonly StaticUser[] {
    const users = this.staticUsers.map((user) => user.reveal());
    const isDemo = users.some((user) => user.startsWith('casuser::'));
    const isDemoReplaced = this.staticAttributes === DEMO_ATTRIBUTES && !isDemo;
    return readStaticUsers(users, isDemoReplaced ? {} : this.staticAttributes);
  }

  /** The configured URL, or else that of this machine with the configured port. */
  get baseUrl(): string {
    const scheme = this.tls.isOn ? 'https' : 'http';
    return this.givenBaseUrl || `${scheme}://localhost:${this.port}/cas`;
  }

  /** Whether the demo user can log in over REST by plain HTTP. */
  get isDemo(): boolean {
    const isUser = this.staticUsers.some((user) => user.reveal() === DEMO_USER);
    const isEnabled = this.handlers.includes('static') && this.modules.includes('rest');
    return this.isActive('dev') && isUser && isEnabled && !this.tls.isOn;
  }

  /** URL of the login page; undefined without module `login`. */
  get loginPage(): string | undefined {
    return this.modules.includes('login') ? `${this.baseUrl}/login` : undefined;
  }

  /** Whether the embedded PostgreSQL of `tessera start` is used. */
  get hasOwnDatabase(): boolean {
    return this.databaseUrl === undefined;
  }

  get workerCount(): WorkerCount {
    return this.workers === 'auto' ? 'auto' : Number(this.workers);
  }

  /** The options of the handler `accounts`. @param cores of the machine */
  hashing(cores: number): PasswordHashingOptions {
    const { memory, iterations, parallelism } = this.argon2;
    return { memory, iterations, parallelism, maxRunning: this.hashesAtOnce(cores) };
  }

  /**
   * The number of password hashes that one process may compute concurrently. All processes together leave one core free.
   * Each process leaves one of the four libuv threads free for files and DNS.
   */
  hashesAtOnce(cores: number): number {
    const workers = this.workerCount === 'auto' ? cores : this.workerCount;
    return Math.max(1, Math.min(3, Math.floor((cores - 1) / workers)));
  }

  get moduleNames(): readonly ModuleName[] {
    return this.modules.filter(isModuleName);
  }

  override get files(): readonly string[] {
    const { x509, principals, passwords } = this;
    const isHandler = this.handlers.includes('ldap');
    const used = this.directories.filter(
      (each) => isHandler || principals.sourceNameOf(each) !== undefined,
    );
    return [
      ...used.flatMap(({ files }) => files),
      ...(passwords.commonFile === '' ? [] : [passwords.commonFile]),
      ...(this.modules.includes('rest-x509') ? [x509.caFile, ...x509.crlFiles] : []),
    ];
  }

  get directories(): readonly LdapSettings[] {
    return directoriesOf(this);
  }

  /** The SQL queries for attributes. */
  get sqlSources(): readonly SqlSettings[] {
    const isUsed = !this.sql.isDefault || this.principals.attributesFrom.includes('sql');
    return [...(isUsed ? [this.sql] : []), ...this.namedSqlSources.values()];
  }

  get handlerNames(): readonly HandlerName[] {
    return this.handlers.filter(isHandlerName);
  }

  /** `/cas`, or empty for a base URL without a path. */
  get contextPath(): string {
    return new URL(this.baseUrl).pathname.replace(/\/$/, '');
  }

  override *check(): Iterable<Violation> {
    yield* checkBaseUrl(this);
    yield* checkModules(this);
    if (this.handlers.length === 0 || !this.handlers.every(isHandlerName)) {
      const message = `must list handlers, of ${HANDLER_NAMES.join(', ')}`;
      yield { key: 'sso.authentication.handlers', message };
    }
    yield* checkStaticUsers(this);
    yield* checkDatabase(this);
    if (this.isActive('production')) yield* checkProduction(this);
  }
}

function* checkDatabase(settings: SsoSettings): Iterable<Violation> {
  const key = 'database.url';
  const url = settings.databaseUrl?.reveal();
  if (url === undefined) {
    if (!settings.isActive('dev')) yield { key, message: 'is required except in profile dev' };
  } else {
    const message = urlFormatViolation(url);
    if (message !== undefined) yield { key, message };
  }
}

function* checkStaticUsers(settings: SsoSettings): Iterable<Violation> {
  try {
    void settings.demoUsers;
  } catch (error) {
    if (!(error instanceof StaticUsersError)) throw error;
    const { message, rule } = error;
    const quotes = ['sso.authentication.static.attributes'];
    yield { key: 'sso.authentication.static.users', message, rule, quotes };
  }
}

/** Forbids conveniences of development that are insecure in production. */
function* checkProduction(settings: SsoSettings): Iterable<Violation> {
  if (settings.isActive('dev')) {
    yield { key: 'profiles.active', message: 'may not name dev and production together' };
  }
  if (settings.handlers.includes('static') || settings.staticUsers.length > 0) {
    const named = settings.staticUsers.length > 0 ? 'static.users' : 'handlers';
    const key = `sso.authentication.${named}`;
    yield { key, message: 'may hold no demo users in profile production' };
  }
  const url = URL.parse(settings.baseUrl);
  if (url?.protocol === 'http:' && !isLoopback(url.hostname.replaceAll(/[[\]]/g, ''))) {
    yield { key: 'sso.base-url', message: 'must be https in profile production' };
  }
}
