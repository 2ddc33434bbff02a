// Settings of LDAP directories, `cas.authn.ldap[n]`. The keys have no index here.
import { type Conversion, left, type MigrationRow, renamed, stricter } from './migration-row.js';

const LOGIN_RULE = 'limits who may log in, from where, or when';

/** Keys of a directory, and ours below `sso.authentication.ldap`, or below the name of a directory there. */
const LDAP_KEYS: readonly (readonly [there: string, here: string, as: Conversion])[] = [
  ['name', 'directories', 'directory'],
  ['order', 'directories', 'directory'],
  ['ldap-url', 'urls', 'urls'],
  ['use-start-tls', 'start-tls', 'same'],
  ['trust-certificates', 'ca-file', 'file'],
  ['bind-dn', 'bind-dn', 'same'],
  ['bind-credential', 'bind-password', 'same'],
  ['base-dn', 'base-dn', 'same'],
  ['subtree-search', 'scope', 'scope'],
  ['search-filter', 'filter', 'filter'],
  ['user-filter', 'filter', 'filter'],
  ['dn-format', 'user-dn', 'user-dn'],
  ['principal-attribute-id', 'id-attribute', 'same'],
  ['principal-attribute-list', 'attributes', 'attributes'],
  ['binary-attributes', 'binary-attributes', 'same'],
  ['connect-timeout', 'connect-timeout', 'milliseconds'],
  ['response-timeout', 'timeout', 'milliseconds'],
  ['max-pool-size', 'pool-size', 'same'],
];

const POLICY = 'cas.authn.ldap.password-policy';
const WARNING_DAYS = `${POLICY}.warning-days`;

/** What these ask for is done here, too. Others below `password-policy` refuse logins by attributes, or run scripts. */
const POLICY_LEFT = [
  'enabled',
  'type',
  'account-state-handling-enabled',
  'warn-all',
  'display-warning-on-match',
  'warning-attribute-name',
  'warning-attribute-value',
].map((key) => `${POLICY}.${key}`);

/** Keys of password policies that make no login stricter than it is here. */
export const SAME_POLICIES: readonly string[] = [WARNING_DAYS, ...POLICY_LEFT];

/** Keys of further attributes, whose values are set by hand. */
const ATTRIBUTE_KEYS: readonly (readonly [there: string, here: string])[] = [
  ['jdbc.url', 'sql.url'],
  ['jdbc.sql', 'sql.query'],
  ['jdbc', 'sql.*'],
  ['attribute-definition-store', 'computed-attributes'],
  ['core.expiration-time', 'attributes-cache'],
  ['core.expiration-time-unit', 'attributes-cache'],
  ['core.merger', 'attributes-merge'],
  ['merger', 'attributes-merge'],
];

const CONNECTIONS = 'connections are kept and checked without settings';
const ENTRIES = 'entries are read as they are; groups come by sso.authentication.ldap.groups';
const ONE_USER =
  'a name that finds several entries, and an entry without exactly one id, cannot log in';

const TRUST = 'certificates are always checked, against public authorities or those of ca-file';

/** Settings of a directory without a counterpart. */
const LDAP_LEFT: readonly (readonly [there: string, consequence: string])[] = [
  ['type', 'a directory is searched, or has a template of DNs: bind-dn or user-dn decide'],
  ['use-ssl', 'the URL decides: ldaps'],
  ['trust-store', TRUST],
  ['trust-manager', TRUST],
  ['hostname-verifier', TRUST],
  ['principal-transformation', 'users log in with the name as they type it'],
  ['password-encoder', 'the password is sent as the user types it'],
  ['principal-attribute-password', 'the directory checks the password, by a bind'],
  ['collect-dn-attribute', 'the DN of a user is no attribute'],
  ['principal-dn-attribute-name', 'the DN of a user is no attribute'],
  ['min-pool-size', CONNECTIONS],
  ['pool-passivator', CONNECTIONS],
  ['validator', CONNECTIONS],
  ['validate-on-checkout', CONNECTIONS],
  ['validate-periodically', CONNECTIONS],
  ['validate-period', CONNECTIONS],
  ['validate-timeout', CONNECTIONS],
  ['block-wait-time', CONNECTIONS],
  ['idle-time', CONNECTIONS],
  ['prune-period', CONNECTIONS],
  ['fail-fast', CONNECTIONS],
  ['disable-pooling', CONNECTIONS],
  ['connection-strategy', 'servers are tried in the order of urls'],
  ['page-size', ENTRIES],
  ['search-entry-handlers', ENTRIES],
  ['follow-referrals', 'referrals are not followed'],
  ['allow-multiple-dns', ONE_USER],
  ['allow-multiple-entries', ONE_USER],
  ['allow-multiple-principal-attribute-values', ONE_USER],
  ['allow-missing-principal-attribute-value', ONE_USER],
];

const STANDBY = 'is asked only for services that name it';

const POLICIES = ['password-policy', 'principal-transformation.blocking-pattern'];

export const DIRECTORY_ROWS: readonly MigrationRow[] = [
  {
    ...renamed(
      'cas.authn.ldap.credential-criteria',
      'sso.authentication.ldap.name-pattern',
      'name-pattern',
    ),
    safeguard: { meaning: LOGIN_RULE },
  },
  ...LDAP_KEYS.map(([there, here, as]) =>
    renamed(`cas.authn.ldap.${there}`, `sso.authentication.ldap.${here}`, as),
  ),
  renamed(WARNING_DAYS, 'sso.authentication.password.warn-before', 'days'),
  ...POLICY_LEFT.map((key) =>
    left(
      key,
      'what the directory answers counts: an expired password, a locked account, a warning',
    ),
  ),
  ...POLICIES.map((rule) => stricter(`cas.authn.ldap.${rule}`, LOGIN_RULE)),
  stricter('cas.authn.ldap.state', STANDBY, 'standby'),
  ...LDAP_LEFT.map(([there, consequence]) => left(`cas.authn.ldap.${there}`, consequence)),
  renamed('cas.authn.ldap', 'sso.authentication.ldap.*'),
  renamed(
    'cas.authn.attribute-repository.ldap.attributes',
    'sso.authentication.ldap.attributes',
    'attributes',
  ),
  renamed('cas.authn.attribute-repository.ldap', 'sso.authentication.attributes-from'),
  ...ATTRIBUTE_KEYS.map(([there, here]) =>
    renamed(`cas.authn.attribute-repository.${there}`, `sso.authentication.${here}`),
  ),
  ...['credential-criteria', ...POLICIES].map((rule) =>
    stricter(`cas.authn.accept.${rule}`, LOGIN_RULE),
  ),
  stricter('cas.authn.accept.state', STANDBY, 'standby'),
];
