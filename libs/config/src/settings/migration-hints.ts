// Settings of Spring Boot, Spring Cloud Config and Apereo CAS, and what to set here instead.
import { normaliseKey } from './closest-key.js';
import { environmentNames } from './environment-name.js';

export interface MigrationHint {
  /** The key or group (`sso.tls.*`) to set here instead; several are joined by `or`; a note follows a comma. */
  readonly instead?: string;
  /** The common prefix of keys that have the same hint. */
  readonly group: string;
}

/**
 * Sections that Tessera has too, with the groups below them that only other servers have. Other unknown keys in these
 * sections are errors: they may be ours, mistyped.
 */
const SHARED_SECTIONS: readonly (readonly [section: string, groups: string])[] = [
  ['logging', 'charset config console exception-conversion-word file group'],
  ['logging', 'include-application-group include-application-name log4j log4j2 logback path'],
  ['logging', 'pattern register-shutdown-hook structured threshold'],
  ['management', 'add-application-context-header appoptics atlas auditevents brave cloudfoundry'],
  ['management', 'context-path datadog defaults dynatrace elastic endpoint endpoints ganglia git'],
  ['management', 'graphite health heapdump httpexchanges humio influx info jmx jolokia kairos'],
  ['management', 'logging metrics.binders metrics.client metrics.data metrics.distribution'],
  ['management', 'metrics.enable metrics.export metrics.graphql metrics.mongo metrics.system'],
  ['management', 'metrics.tags metrics.use-global-registry metrics.web newrelic observations'],
  ['management', 'opentelemetry otlp prometheus security server shell signalfx simple ssl'],
  ['management', 'stackdriver statsd trace tracing wavefront zipkin'],
  ['encrypt', 'fail-on-error'],
];

/** Keys of `cas.authn.ldap[n]`, and ours below `sso.authentication.ldap`, or below the name of a directory there. */
const LDAP_KEYS: readonly (readonly [there: string, here: string])[] = [
  ['name', 'directories'],
  ['order', 'directories'],
  ['credential-criteria', 'name-pattern'],
  ['ldap-url', 'urls'],
  ['use-start-tls', 'start-tls'],
  ['trust-certificates', 'ca-file'],
  ['bind-dn', 'bind-dn'],
  ['bind-credential', 'bind-password'],
  ['base-dn', 'base-dn'],
  ['subtree-search', 'scope'],
  ['search-filter', 'filter'],
  ['dn-format', 'user-dn'],
  ['principal-attribute-id', 'id-attribute'],
  ['principal-attribute-list', 'attributes'],
  ['connect-timeout', 'connect-timeout'],
  ['response-timeout', 'timeout'],
  ['max-pool-size', 'pool-size'],
];

/**
 * Keys of other servers, or their prefixes, and what to set here instead: keys or groups (`sso.tls.*`), of which an
 * application uses those it declares, with a note behind a comma; a bare `sso` if there is no replacement. The first
 * matching row wins.
 * @see docs/config-migration.md and docs/migration.md, whose tables have the same rows
 */
export const MIGRATION_HINTS: readonly (readonly [there: string, ...here: readonly string[]])[] = [
  ['spring.application.name', 'application.name'],
  ['spring.profiles.active', 'profiles.active'],
  ['spring.config.import', 'sso.config-server.url', 'vault.uri'],
  ['spring.datasource', 'database.url'],
  ['server.port', 'config-server.port', 'sso.port'],
  ['server.address', 'config-server.host', 'sso.host'],
  ['server.ssl', 'config-server.tls.*', 'sso.tls.*'],
  ['server.forward-headers-strategy', 'config-server.proxies.*', 'sso.proxies.*'],
  ['server.use-forward-headers', 'config-server.proxies.*', 'sso.proxies.*'],
  ['server.tomcat.remoteip', 'config-server.proxies.*', 'sso.proxies.*'],
  ['server.servlet.context-path', 'sso.base-url'],
  ['server.context-path', 'sso.base-url'],
  ['spring.security.user', 'config-server.clients'],
  ['spring.cloud.config.server.overrides', 'config-server.overrides'],
  ['spring.cloud.config.server.encrypt.enabled', 'config-server.encrypt.enabled'],
  [
    'spring.cloud.config.server.encrypt.plain-text-encrypt',
    'config-server.encrypt.plain-text-encrypt',
  ],
  ['spring.cloud.config.server.composite', 'config-server.backends'],
  ['spring.cloud.config.server.default-label', 'config-server.git.default-label'],
  ['spring.cloud.config.server.native.search-locations', 'config-server.native.location'],
  [
    'spring.cloud.config.server.native.add-label-locations',
    'config-server.native.add-label-locations',
  ],
  ['spring.cloud.config.server.native.order', 'config-server.backends, a list in that order'],
  ['spring.cloud.config.server.git.uri', 'config-server.git.uri'],
  ['spring.cloud.config.server.git.default-label', 'config-server.git.default-label'],
  ['spring.cloud.config.server.git.search-paths', 'config-server.git.search-paths'],
  ['spring.cloud.config.server.git.repos', 'config-server.git.repos'],
  ['spring.cloud.config.server.git.refresh-rate', 'config-server.git.refresh'],
  ['spring.cloud.config.server.git.timeout', 'config-server.git.timeout'],
  ['spring.cloud.config.server.git.basedir', 'config-server.git.clone-directory'],
  ['spring.cloud.config.server.git.username', 'config-server.git.username'],
  ['spring.cloud.config.server.git.password', 'config-server.git.password'],
  ['spring.cloud.config.server.git.private-key', 'config-server.git.private-key-file'],
  ['spring.cloud.config.server.git.known-hosts-file', 'config-server.git.known-hosts-file'],
  ['spring.cloud.config.server.git.proxy', 'config-server.git.proxy.*'],
  ['spring.cloud.config.server.git.order', 'config-server.backends, a list in that order'],
  ['spring.cloud.config.server.vault.host', 'config-server.vault.uri'],
  ['spring.cloud.config.server.vault.port', 'config-server.vault.uri'],
  ['spring.cloud.config.server.vault.scheme', 'config-server.vault.uri'],
  ['spring.cloud.config.server.vault.namespace', 'config-server.vault.namespace'],
  ['spring.cloud.config.server.vault.timeout', 'config-server.vault.timeout'],
  ['spring.cloud.config.server.vault.token', 'config-server.vault.token'],
  ['spring.cloud.config.server.vault.backend', 'config-server.vault.kv.backend'],
  ['spring.cloud.config.server.vault.kv-version', 'config-server.vault.kv.version'],
  ['spring.cloud.config.server.vault.app-role.app-role-path', 'config-server.vault.app-role.path'],
  ['spring.cloud.config.server.vault.app-role', 'config-server.vault.app-role.*'],
  ['spring.cloud.config.server.vault.order', 'config-server.backends, a list in that order'],
  ['spring.cloud.config.server.jdbc.default-label', 'config-server.postgres.default-label'],
  ['spring.cloud.config.server.jdbc.order', 'config-server.backends, a list in that order'],
  ['cas.server.name', 'sso.base-url'],
  ['cas.server.prefix', 'sso.base-url'],
  ['cas.authn.accept.users', 'sso.authentication.static.users'],
  ['cas.authn.attribute-repository.stub.attributes', 'sso.authentication.static.attributes'],
  [
    'cas.authn.attribute-repository.core.default-attributes-to-release',
    'sso.services.default-attributes',
  ],
  [
    'cas.authn.attribute-repository.default-attributes-to-release',
    'sso.services.default-attributes',
  ],
  ...LDAP_KEYS.map(
    ([there, here]) => [`cas.authn.ldap.${there}`, `sso.authentication.ldap.${here}`] as const,
  ),
  ['cas.authn.ldap', 'sso.authentication.ldap.*'],
  ['cas.authn.attribute-repository.ldap', 'sso.authentication.attributes-from'],
  ['cas.authn.x509', 'sso.rest.x509.*'],
  ['cas.authn.throttle', 'sso.throttle.login.*', 'sso.throttle.rest.*'],
  ['cas.throttle', 'sso.throttle.login.*', 'sso.throttle.rest.*'],
  ['cas.ticket.tgt', 'sso.tickets.tgt.*'],
  ['cas.ticket.st', 'sso.tickets.st.lifetime'],
  ['cas.ticket.pt', 'sso.tickets.pt.lifetime'],
  ['cas.service-registry.json.location', 'sso.services.import'],
  ['cas.slo.disabled', 'sso.logout.enabled, with the opposite value'],
  ['cas.theme', 'sso.theme.*'],
  ['cas.view.cas2.v3-forward-compatible', 'sso.validation.cas2-attributes'],
  ['cas.rest.services.attribute-name', 'sso.rest.services.role-name'],
  ['cas.rest.services.attribute-value', 'sso.rest.services.role-value'],
  ['cas.rest.attribute-name', 'sso.rest.services.role-name'],
  ['cas.rest.attribute-value', 'sso.rest.services.role-value'],
  ['server', 'config-server', 'sso'],
  ['spring.cloud.vault.uri', 'vault.uri'],
  ['spring.cloud.vault.host', 'vault.uri'],
  ['spring.cloud.vault.port', 'vault.uri'],
  ['spring.cloud.vault.scheme', 'vault.uri'],
  ['spring.cloud.vault.namespace', 'vault.namespace'],
  [
    'spring.cloud.vault.authentication',
    'vault.token',
    'vault.app-role.*',
    'vault.kubernetes.*',
    'vault.ssl.*',
  ],
  ['spring.cloud.vault.token', 'vault.token'],
  ['spring.cloud.vault.fail-fast', 'vault.fail-fast'],
  ['spring.cloud.vault.read-timeout', 'vault.timeout'],
  ['spring.cloud.vault.connection-timeout', 'vault.timeout'],
  ['spring.cloud.vault.kv.backend', 'vault.kv.backend'],
  ['spring.cloud.vault.kv.backend-version', 'vault.kv.version'],
  ['spring.cloud.vault.app-role.app-role-path', 'vault.app-role.path'],
  ['spring.cloud.vault.app-role', 'vault.app-role.*'],
  ['spring.cloud.vault.kubernetes.kubernetes-path', 'vault.kubernetes.path'],
  ['spring.cloud.vault.kubernetes', 'vault.kubernetes.*'],
  ['spring.cloud.vault.ssl.cert-auth-path', 'vault.ssl.path'],
  ['spring.cloud.vault.ssl.trust-store', 'vault.ca-file'],
  ['spring.cloud.vault.ssl', 'vault.ssl.*'],
  ['spring.cloud.config.uri', 'sso.config-server.url'],
  ['spring.cloud.config.username', 'sso.config-server.username'],
  ['spring.cloud.config.password', 'sso.config-server.password'],
  ['spring.cloud.config.label', 'sso.config-server.label'],
  ['spring.cloud.config.fail-fast', 'sso.config-server.fail-fast'],
  ['spring.cloud.config.request-read-timeout', 'sso.config-server.timeout'],
  ['spring.cloud.config.retry', 'sso.config-server.retry.*'],
  ['cas.standalone.configuration-security', 'sso.standalone.security.*'],
  ['spring.cloud.config.server', 'config-server'],
  ['management.server.port', 'management.port'],
  ['management.server.address', 'management.host'],
  ['management.address', 'management.host'],
  ['cas', 'sso'],
  ...SHARED_SECTIONS.flatMap(([section, groups]) =>
    groups.split(' ').map((group) => [`${section}.${group}`, section] as const),
  ),
];

/** Prefixes of keys whose environment variables only these servers use. */
const OF_SERVERS = /^(?:spring\.cloud\.(?:config|vault)|cas\.standalone)\./;

/** The number of segments after a row's key that form a group without a replacement: `cas.authn.mfa`. */
const GROUP_DEPTH = 2;

/** The hint for a key of another server; undefined if there is none. @param isKnown whether this application declares a key or group */
export function migrationHintOf(
  key: string,
  isKnown: (keyOrGroup: string) => boolean,
): MigrationHint | undefined {
  const normalised = withoutIndexes(normaliseKey(key));
  const isAtOrBelow = (there: string): boolean =>
    normalised.startsWith(there) && ['', '.', '['].includes(normalised.charAt(there.length));
  for (const [there, ...here] of MIGRATION_HINTS) {
    if (!isAtOrBelow(there)) continue;
    const known = here.filter((each) => isKnown(each.replace(/\.\*|,.*/, '')));
    const instead = known.filter((each) => each.includes('.')).join(' or ');
    if (instead !== '') return { instead, group: there };
    if (known.length > 0) return { group: groupOf(normalised, there) };
  }
  return undefined;
}

/** The elements of a list have the hints of the list: `cas.authn.ldap[1].base-dn`. */
function withoutIndexes(key: string): string {
  return key.replaceAll(/\[\d+\]/g, '');
}

/** The key of an environment variable of one of these servers; undefined for all other variables. */
export function keyOfVariable(variable: string): string | undefined {
  const name = variable.toUpperCase();
  const rows = MIGRATION_HINTS.filter(([there]) => OF_SERVERS.test(there));
  for (const [there] of rows) {
    const known = environmentNames(there).find((each) => `${name}_`.startsWith(`${each}_`));
    if (known) return there + name.slice(known.length).toLowerCase().replaceAll('_', '.');
  }
  return undefined;
}

/** Elements of a list belong to the group of the list. */
function groupOf(key: string, there: string): string {
  const below = key.slice(there.length).split('.', GROUP_DEPTH + 1);
  return there + below.map((segment) => segment.replace(/\[.*$/s, '')).join('.');
}
