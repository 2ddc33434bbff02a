// Settings of Spring Cloud Config's server that have a counterpart here.
import { type Conversion, left, type MigrationRow, renamed } from './migration-row.js';

const NO_NEED = 'every fetch follows the repository, and the clone is made at the start';

/** Keys below `spring.cloud.config.server`, and ours below `config-server`. */
const SERVER_KEYS: readonly (readonly [there: string, here: string, as?: Conversion])[] = [
  ['overrides', 'overrides', 'map'],
  ['encrypt.enabled', 'encrypt.enabled', 'same'],
  ['encrypt.plain-text-encrypt', 'encrypt.plain-text-encrypt', 'same'],
  ['composite', 'backends', 'backends'],
  ['default-label', 'git.default-label', 'same'],
  ['native.search-locations', 'native.location', 'native-location'],
  ['native.add-label-locations', 'native.add-label-locations', 'same'],
  ['native.order', 'backends, a list in that order', 'backends'],
  ['git.uri', 'git.uri', 'same'],
  ['git.default-label', 'git.default-label', 'same'],
  ['git.search-paths', 'git.search-paths', 'list'],
  ['git.repos', 'git.repos', 'repositories'],
  ['git.refresh-rate', 'git.refresh', 'seconds'],
  ['git.timeout', 'git.timeout', 'seconds'],
  ['git.basedir', 'git.clone-directory', 'file'],
  ['git.username', 'git.username', 'same'],
  ['git.password', 'git.password', 'same'],
  ['git.private-key', 'git.private-key-file'],
  ['git.known-hosts-file', 'git.known-hosts-file', 'file'],
  ['git.proxy', 'git.proxy.*'],
  ['git.order', 'backends, a list in that order', 'backends'],
  ['vault.host', 'vault.uri', 'vault-uri'],
  ['vault.port', 'vault.uri', 'vault-uri'],
  ['vault.scheme', 'vault.uri', 'vault-uri'],
  ['vault.namespace', 'vault.namespace', 'same'],
  ['vault.timeout', 'vault.timeout', 'seconds'],
  ['vault.token', 'vault.token', 'same'],
  ['vault.backend', 'vault.kv.backend', 'same'],
  ['vault.kv-version', 'vault.kv.version', 'same'],
  ['vault.app-role.app-role-path', 'vault.app-role.path', 'same'],
  ['vault.app-role.role-id', 'vault.app-role.role-id', 'same'],
  ['vault.app-role.secret-id', 'vault.app-role.secret-id', 'same'],
  ['vault.app-role', 'vault.app-role.*'],
  ['vault.order', 'backends, a list in that order', 'backends'],
  ['jdbc.default-label', 'postgres.default-label', 'same'],
  ['jdbc.order', 'backends, a list in that order', 'backends'],
];

export const CONFIG_SERVER_ROWS: readonly MigrationRow[] = [
  renamed('spring.security.user', 'config-server.clients', 'client'),
  ...SERVER_KEYS.map(([there, here, as]) =>
    renamed(`spring.cloud.config.server.${there}`, `config-server.${here}`, as),
  ),
];

/** After the rows of both applications. */
export const CONFIG_SERVER_LEFT_ROWS: readonly MigrationRow[] = [
  ...['force-pull', 'delete-untracked-branches', 'clone-on-start'].map((key) =>
    left(`spring.cloud.config.server.git.${key}`, NO_NEED),
  ),
  left('spring.cloud.config.server.jdbc', 'properties are in the table of docs/config-server.md'),
  left('spring.cloud.config.server.svn', 'Subversion is not read: move the files to git'),
  left('spring.cloud.config.server.prefix', 'paths have no prefix: put one into the proxy'),
  left('spring.cloud.config.server.health', 'health does not ask the backends'),
  renamed('spring.cloud.config.server', 'config-server'),
];
