// Settings of Apereo CAS and Spring Boot without a counterpart, with what users and operators notice.
import { left, missing, type MigrationRow } from './migration-row.js';

const IMPORT_USERS =
  'its users cannot log in until they are imported, and sso.authentication.handlers has accounts: docs/users.md';
const NO_HANDLER = 'its users cannot log in';
const AGAIN = 'users log in again after the move';
const EXPORT = 'export its services to JSON files first';
const NO_SOURCE = 'its attributes are missing in answers to applications';

const MISSING: readonly (readonly [keys: readonly string[], consequence: string])[] = [
  [['saml-idp'], 'applications of SAML 2.0 cannot log in'],
  [['wsfed-idp'], 'applications of WS-Federation cannot log in'],
  [['pac4j', 'wsfed', 'shibboleth'], 'nobody logs in at another identity provider'],
  [['spnego', 'ntlm'], 'users type their password: Kerberos and NTLM are ignored'],
  [
    ['pm'],
    'sso.authentication.ldap.password-change and .accounts.password-change let users change passwords; link a reset by sso.theme.links.password',
  ],
  [['passwordless', 'qr', 'token'], 'users log in with a password'],
  [['surrogate'], 'nobody logs in as another user'],
  [['jdbc'], IMPORT_USERS],
  [['mongo', 'couchbase', 'redis', 'file', 'json', 'groovy'], IMPORT_USERS],
  [['rest', 'radius', 'soap', 'okta', 'azure-ad', 'cognito', 'syncope', 'jaas', 'pam'], NO_HANDLER],
];

const SOURCES = ['json', 'groovy', 'rest', 'redis', 'grouper', 'script', 'scim', 'okta'];

/** Registries of services besides the JSON files. */
const REGISTRIES = ['jpa', 'ldap', 'mongo', 'git', 'yaml', 'redis', 'rest', 'dynamo-db'];

const LEFT: readonly (readonly [keys: readonly string[], consequence: string])[] = [
  [['cas.ticket.registry'], `tickets are in PostgreSQL; ${AGAIN}`],
  [['cas.tgc.pin-to-session'], 'a session is not bound to the address and the browser of its user'],
  [['cas.ticket'], 'these tickets have no such setting'],
  [
    ['cas.tgc.same-site-policy'],
    'the cookie is SameSite=Lax: nobody logs in within a frame of another site',
  ],
  [
    ['cas.tgc', 'cas.webflow', 'cas.warning-cookie'],
    `cookies and forms have keys of their own; ${AGAIN}`,
  ],
  [
    ['cas.service-registry.init-from-json', 'cas.service-registry.core.init-from-json'],
    'sso.services.import decides',
  ],
  [
    ['cas.service-registry.watcher-enabled', 'cas.service-registry.json.watcher-enabled'],
    'files are imported at each start',
  ],
  [REGISTRIES.map((registry) => `cas.service-registry.${registry}`), EXPORT],
  [['cas.service-registry'], 'services are in PostgreSQL'],
  [['cas.audit'], 'the audit trail has a table and settings of its own: docs/audit.md'],
  [['cas.events'], 'the audit trail has the logins: docs/audit.md'],
  [
    ['cas.monitor', 'cas.admin-pages-security', 'management', 'endpoints', 'security', 'health'],
    'health and metrics have other paths: docs/metrics.md',
  ],
  [
    ['cas.logout.follow-service-redirects', 'cas.logout.redirect-parameter'],
    'a logout returns to a registered service by its parameter service',
  ],
  [['cas.slo'], 'logouts are sent at once, with retries'],
  [['cas.logout'], 'the logout page has no such setting'],
  [['cas.locale'], 'pages are in the language of the browser, of four'],
  [['cas.message-bundle'], 'texts are replaced by the directory of the theme: docs/login.md'],
  [
    ['cas.view.default-redirect-url'],
    'a login without an application ends on the page of the session',
  ],
  [
    ['cas.view', 'spring.thymeleaf', 'spring.mvc', 'spring.web'],
    'pages are replaced by the directory of the theme: docs/login.md',
  ],
  [['cas.http-client'], 'calls of applications have settings of their own: sso.outgoing.*'],
  [['cas.saml-core'], 'validation by SAML 1.1 has no such setting'],
  [['cas.standalone'], 'files are in settings.location'],
  [['cas.http-web-request'], 'answers have headers of their own'],
  [
    ['cas.authn.errors', 'cas.authn.exceptions', 'cas.authn.core'],
    'every refusal has the same text',
  ],
  [['cas.clearpass'], 'no application gets a password'],
  [['cas.sso'], 'single sign-on has no such setting'],
  [
    ['cas.google-analytics', 'cas.geo-location', 'cas.maps', 'cas.analytics'],
    'users are not tracked',
  ],
  [
    ['cas.person-directory', 'cas.authn.attribute-repository'],
    'attributes come with the login, or from sso.authentication.attributes-from',
  ],
  [['cas.authn.accept'], 'static users have no such setting'],
  [
    ['cas.authn.authentication-attribute-release'],
    'services get the attributes of the protocol, but those of --no-protocol-attributes',
  ],
  [
    ['cas.host', 'cas.jdbc', 'cas.spring-cloud', 'cas.custom', 'cas.client', 'cas.server'],
    'nothing here depends on it',
  ],
  [['logging', 'cas.logging'], 'logs are lines of JSON on standard output: docs/operations.md'],
  [
    ['server.servlet', 'server.tomcat', 'server.jetty', 'server.undertow', 'server.compression'],
    'there is no servlet container',
  ],
  [
    [
      'server.max-http-header-size',
      'server.max-http-request-header-size',
      'server.connection-timeout',
    ],
    'requests have limits of their own: docs/operations.md',
  ],
  [['server'], 'there is no servlet container'],
  [
    ['spring', 'eureka', 'hazelcast', 'ribbon', 'feign', 'hystrix', 'jasypt', 'info'],
    'nothing here depends on it',
  ],
];

export const LEFT_ROWS: readonly MigrationRow[] = [
  ...MISSING.flatMap(([keys, consequence]) =>
    keys.map((key) => missing(`cas.authn.${key}`, consequence)),
  ),
  ...SOURCES.map((source) => missing(`cas.authn.attribute-repository.${source}`, NO_SOURCE)),
  ...LEFT.flatMap(([keys, consequence]) => keys.map((key) => left(key, consequence))),
];
