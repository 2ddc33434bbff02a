// Settings of Spring Boot and Spring Cloud that both applications may have.
import { type MigrationRow, renamed } from './migration-row.js';

/** Before the rows of one application. */
export const SPRING_ROWS: readonly MigrationRow[] = [
  renamed('spring.application.name', 'application.name'),
  renamed('spring.profiles.active', 'profiles.active'),
  renamed('spring.config.import', ['sso.config-server.url', 'vault.uri']),
  renamed('spring.datasource', 'database.url', 'database'),
  renamed('server.port', ['config-server.port', 'sso.port'], 'same'),
  renamed('server.address', ['config-server.host', 'sso.host'], 'same'),
  renamed('server.ssl', ['config-server.tls.*', 'sso.tls.*'], 'tls'),
  renamed('server.forward-headers-strategy', ['config-server.proxies.*', 'sso.proxies.*']),
  renamed('server.use-forward-headers', ['config-server.proxies.*', 'sso.proxies.*']),
  renamed('server.tomcat.remoteip', ['config-server.proxies.*', 'sso.proxies.*']),
  renamed('server.servlet.context-path', 'sso.base-url', 'base-url'),
  renamed('server.context-path', 'sso.base-url', 'base-url'),
];

/** The places that settings come from. */
export const SOURCE_ROWS: readonly MigrationRow[] = [
  renamed('spring.cloud.vault.uri', 'vault.uri', 'vault-uri'),
  renamed('spring.cloud.vault.host', 'vault.uri', 'vault-uri'),
  renamed('spring.cloud.vault.port', 'vault.uri', 'vault-uri'),
  renamed('spring.cloud.vault.scheme', 'vault.uri', 'vault-uri'),
  renamed('spring.cloud.vault.namespace', 'vault.namespace', 'same'),
  renamed('spring.cloud.vault.authentication', [
    'vault.token',
    'vault.app-role.*',
    'vault.kubernetes.*',
    'vault.ssl.*',
  ]),
  renamed('spring.cloud.vault.token', 'vault.token', 'same'),
  renamed('spring.cloud.vault.fail-fast', 'vault.fail-fast', 'same'),
  renamed('spring.cloud.vault.read-timeout', 'vault.timeout', 'milliseconds'),
  renamed('spring.cloud.vault.connection-timeout', 'vault.timeout'),
  renamed('spring.cloud.vault.kv.backend', 'vault.kv.backend', 'same'),
  renamed('spring.cloud.vault.kv.backend-version', 'vault.kv.version', 'same'),
  renamed('spring.cloud.vault.app-role.app-role-path', 'vault.app-role.path', 'same'),
  renamed('spring.cloud.vault.app-role', 'vault.app-role.*'),
  renamed('spring.cloud.vault.kubernetes.kubernetes-path', 'vault.kubernetes.path', 'same'),
  renamed('spring.cloud.vault.kubernetes', 'vault.kubernetes.*'),
  renamed('spring.cloud.vault.ssl.cert-auth-path', 'vault.ssl.path', 'same'),
  renamed('spring.cloud.vault.ssl.trust-store', 'vault.ca-file'),
  renamed('spring.cloud.vault.ssl', 'vault.ssl.*'),
  renamed('spring.cloud.config.uri', 'sso.config-server.url', 'config-uri'),
  renamed('spring.cloud.config.enabled', 'sso.config-server.url', 'config-uri'),
  renamed('spring.cloud.config.username', 'sso.config-server.username', 'same'),
  renamed('spring.cloud.config.password', 'sso.config-server.password', 'same'),
  renamed('spring.cloud.config.label', 'sso.config-server.label', 'same'),
  renamed('spring.cloud.config.fail-fast', 'sso.config-server.fail-fast', 'same'),
  renamed('spring.cloud.config.request-read-timeout', 'sso.config-server.timeout', 'milliseconds'),
  renamed('spring.cloud.config.retry', 'sso.config-server.retry.*'),
  renamed('cas.standalone.configuration-security', 'sso.standalone.security.*'),
];

export const MANAGEMENT_ROWS: readonly MigrationRow[] = [
  renamed('management.server.port', 'management.port', 'same'),
  renamed('management.server.address', 'management.host', 'same'),
  renamed('management.address', 'management.host', 'same'),
];
