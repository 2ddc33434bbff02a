// The paths of Apereo CAS, for applications that have them in their configuration. @see docs/oidc.md
import { ENDPOINTS } from './endpoints.js';

/** Paths below the context path, and what answers them, below the issuer. */
export const APEREO_PATHS: Readonly<Record<string, string>> = {
  '/oidc/oidcAuthorize': ENDPOINTS.authorization,
  '/oidc/oidcAccessToken': ENDPOINTS.token,
  '/oidc/accessToken': ENDPOINTS.token,
  '/oidc/oidcToken': ENDPOINTS.token,
  '/oidc/oidcProfile': ENDPOINTS.userinfo,
  '/oidc/profile': ENDPOINTS.userinfo,
  '/oidc/oidcPushAuthorize': ENDPOINTS.pushed_authorization_request,
  '/oauth2.0/authorize': ENDPOINTS.authorization,
  '/oauth2.0/accessToken': ENDPOINTS.token,
  '/oauth2.0/token': ENDPOINTS.token,
  '/oauth2.0/profile': ENDPOINTS.userinfo,
  '/oauth2.0/introspect': ENDPOINTS.introspection,
  '/oauth2.0/revoke': ENDPOINTS.revocation,
};

/** For the logout, of which the controller is ours. */
export const APEREO_LOGOUT: readonly string[] = ['oidc/oidcLogout', 'oidc/logout'];

/** Where the requests have no meaning in OpenID Connect of their own. */
export const OAUTH_AUTHORIZE = '/oauth2.0/authorize';
export const OAUTH_PROFILE = '/oauth2.0/profile';
