// The paths of the library, below the issuer.

/** By the names of the library. */
export const ENDPOINTS = {
  authorization: '/authorize',
  code_verification: '/device',
  device_authorization: '/device-authorization',
  introspection: '/introspect',
  jwks: '/jwks',
  pushed_authorization_request: '/par',
  registration: '/register',
  revocation: '/revoke',
  token: '/token',
  userinfo: '/userinfo',
} as const;

/** Both have the same. @see RFC 8414, section 5 */
export const DISCOVERY_PATHS: readonly string[] = [
  '/.well-known/openid-configuration',
  '/.well-known/oauth-authorization-server',
];

/** Documents that are the same for everybody. */
export const PUBLIC_PATHS: readonly string[] = [...DISCOVERY_PATHS, ENDPOINTS.jwks];

/** Where clients send forms. */
const FORM_PATHS: readonly string[] = [
  ENDPOINTS.token,
  ENDPOINTS.introspection,
  ENDPOINTS.revocation,
  ENDPOINTS.pushed_authorization_request,
  ENDPOINTS.device_authorization,
];

/** What takes nothing but the method POST. */
export const POST_PATHS: readonly string[] = [...FORM_PATHS, ENDPOINTS.registration];

/** All that the library answers, besides registrations. */
export const LIBRARY_PATHS: readonly string[] = [
  ...PUBLIC_PATHS,
  ENDPOINTS.authorization,
  `${ENDPOINTS.authorization}/:uid`,
  ENDPOINTS.userinfo,
  ...FORM_PATHS,
  // Where the browser comes back to after the login page. The page of devices itself is ours.
  `${ENDPOINTS.code_verification}/:uid`,
];
