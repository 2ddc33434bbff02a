// Settings of Apereo CAS that have a counterpart here, or that make logins stricter.
import { DIRECTORY_ROWS } from './directory-rows.js';
import { OIDC_ROWS } from './oidc-rows.js';
import { left, type MigrationRow, renamed, stricter } from './migration-row.js';

const LOGIN_RULE = 'limits who may log in, from where, or when';
const FACTOR = 'asks for a second factor';
const SSO_RULE = 'limits single sign-on';
const PROGRAMS = 'keeps programs from the login form';

/** The keys of one limit of failed logins are below `cas.authn` in most releases. */
const THROTTLE_ROWS = ['cas.authn.throttle', 'cas.throttle'].flatMap((group): MigrationRow[] => [
  renamed(
    `${group}.failure.threshold`,
    ['sso.throttle.login.threshold', 'sso.throttle.rest.threshold'],
    'threshold',
  ),
  renamed(
    `${group}.failure.range-seconds`,
    ['sso.throttle.login.window', 'sso.throttle.rest.window'],
    'seconds',
  ),
  ...['core.username-parameter', 'username-parameter'].map((key) =>
    left(
      `${group}.${key}`,
      'failures count by name and address, and by address: docs/throttling.md',
    ),
  ),
  ...['core', 'failure.code', 'app-code', 'schedule'].map((key) =>
    left(`${group}.${key}`, 'the limit does not need it'),
  ),
  {
    ...renamed(group, ['sso.throttle.login.*', 'sso.throttle.rest.*']),
    safeguard: { meaning: 'limits failed logins' },
  },
]);

const TICKET_ROWS: readonly MigrationRow[] = [
  renamed(
    'cas.ticket.tgt.primary.max-time-to-live-in-seconds',
    'sso.tickets.tgt.max-lifetime',
    'seconds',
  ),
  renamed(
    'cas.ticket.tgt.primary.time-to-kill-in-seconds',
    'sso.tickets.tgt.idle-timeout',
    'seconds',
  ),
  renamed('cas.ticket.tgt.max-time-to-live-in-seconds', 'sso.tickets.tgt.max-lifetime', 'seconds'),
  renamed('cas.ticket.tgt.time-to-kill-in-seconds', 'sso.tickets.tgt.idle-timeout', 'seconds'),
  renamed(
    'cas.ticket.tgt.timeout.max-time-to-live-in-seconds',
    'sso.tickets.tgt.idle-timeout',
    'seconds',
  ),
  renamed(
    'cas.ticket.tgt.hard-timeout.time-to-kill-in-seconds',
    'sso.tickets.tgt.max-lifetime',
    'seconds',
  ),
  renamed('cas.ticket.tgt.remember-me', 'sso.tickets.tgt.remember-me-lifetime', 'remember-me'),
  ...['core', 'throttled-timeout', 'max-length'].map((key) =>
    left(`cas.ticket.tgt.${key}`, 'sessions have no such setting'),
  ),
  renamed('cas.ticket.tgt', 'sso.tickets.tgt.*'),
  ...['st', 'pt'].flatMap((kind) => [
    renamed(
      `cas.ticket.${kind}.time-to-kill-in-seconds`,
      `sso.tickets.${kind}.lifetime`,
      'seconds',
    ),
    left(`cas.ticket.${kind}.number-of-uses`, 'a ticket is accepted once'),
    renamed(`cas.ticket.${kind}`, `sso.tickets.${kind}.lifetime`),
  ]),
];

const SAFEGUARD_ROWS: readonly MigrationRow[] = [
  stricter('cas.authn.mfa', FACTOR),
  stricter('cas.mfa', FACTOR),
  stricter('cas.authn.adaptive', LOGIN_RULE),
  stricter('cas.authn.reject', 'lists users who may not log in'),
  left('cas.authn.policy.any', 'a login is accepted by one handler, as there'),
  stricter('cas.authn.policy', 'demands more of a login than one handler that accepts it'),
  ...['core.engine', 'engine'].flatMap((engine) =>
    ['groovy-pre-processor', 'groovy-post-processor'].map((script) =>
      stricter(`cas.authn.${engine}.${script}`, 'can refuse a login'),
    ),
  ),
  stricter('cas.access-strategy', LOGIN_RULE),
  stricter('cas.acceptable-usage-policy', 'demands consent before a login'),
  stricter('cas.consent', 'demands consent before attributes are released'),
  stricter('cas.interrupt', 'can stop a login'),
  stricter('cas.google-recaptcha', PROGRAMS),
  stricter('cas.recaptcha', PROGRAMS),
  stricter('cas.sso.required-service-pattern', SSO_RULE),
  stricter('cas.sso.services.required-service-pattern', SSO_RULE),
  stricter('cas.sso.sso-enabled', SSO_RULE, 'false'),
  stricter('cas.sso.proxy-authn-enabled', 'forbids proxy tickets', 'false'),
];

export const CAS_ROWS: readonly MigrationRow[] = [
  renamed('cas.server.name', 'sso.base-url', 'base-url'),
  renamed('cas.server.prefix', 'sso.base-url', 'base-url'),
  renamed('cas.authn.accept.users', 'sso.authentication.static.users', 'users'),
  renamed('cas.authn.accept.enabled', 'sso.authentication.handlers', 'users'),
  renamed(
    'cas.authn.attribute-repository.stub.attributes',
    'sso.authentication.static.attributes',
    'static-attributes',
  ),
  ...['core.', ''].map((part) =>
    renamed(
      `cas.authn.attribute-repository.${part}default-attributes-to-release`,
      'sso.services.default-attributes',
      'list',
    ),
  ),
  ...DIRECTORY_ROWS,
  renamed('cas.authn.x509', 'sso.rest.x509.*'),
  ...OIDC_ROWS,
  ...THROTTLE_ROWS,
  ...TICKET_ROWS,
  renamed('cas.service-registry.json.location', 'sso.services.import', 'services'),
  renamed('cas.slo.disabled', 'sso.logout.enabled, with the opposite value', 'inverted'),
  renamed('cas.theme', 'sso.theme.*'),
  renamed('cas.view.cas2.v3-forward-compatible', 'sso.validation.cas2-attributes', 'same'),
  ...['services.', ''].flatMap((part) => [
    renamed(`cas.rest.${part}attribute-name`, 'sso.rest.services.role-name', 'same'),
    renamed(`cas.rest.${part}attribute-value`, 'sso.rest.services.role-value', 'same'),
  ]),
  ...SAFEGUARD_ROWS,
];
