// Settings of OpenID Connect and OAuth of Apereo CAS.
import { left, type MigrationRow, renamed } from './migration-row.js';

const OFFERED = 'docs/oidc.md says what is offered';

export const OIDC_ROWS: readonly MigrationRow[] = [
  renamed(
    'cas.authn.oauth.access-token.max-time-to-live-in-seconds',
    'sso.oidc.access-token-lifetime',
    'seconds',
  ),
  renamed(
    'cas.authn.oauth.refresh-token.time-to-kill-in-seconds',
    'sso.oidc.refresh-token-lifetime',
    'seconds',
  ),
  ...['core.', ''].flatMap((part) => [
    renamed(`cas.authn.oidc.${part}claims-map`, 'sso.oidc.claims.*', 'claims'),
    renamed(`cas.authn.oidc.${part}user-defined-scopes`, 'sso.oidc.scopes.*', 'scopes-of-claims'),
    left(
      `cas.authn.oidc.${part}issuer`,
      'the issuer is sso.base-url with /oidc: applications that know another must be changed',
    ),
  ]),
  ...['jwks', 'jwks-file'].map((key) =>
    left(
      `cas.authn.oidc.${key}`,
      'signing keys are in the database: tessera oidc keys import takes those of a key store',
    ),
  ),
  ...['registration', 'dynamic-client-registration-mode'].map((key) =>
    left(
      `cas.authn.oidc.${key}`,
      'clients register themselves where sso.oidc.registration is token, with tokens of tessera oidc initial-token add',
    ),
  ),
  left(
    'cas.authn.oidc.id-token',
    'imported clients have claims in the ID token, which lives as the access token',
  ),
  left('cas.authn.oidc', OFFERED),
  left('cas.authn.oauth', OFFERED),
];
