// The OpenID Connect part of a registered service, and its rules. `client-uris.ts` and `client-keys.ts` have those of its URIs
// and keys.
import { randomId } from '@tessera/crypto';
import { publicKeys, type PublicKeys } from './client-keys.js';
import { redirectUriViolation, schemeViolation, serverUriViolation } from './client-uris.js';
import {
  bool,
  integer,
  isRecord,
  listOf,
  oneOf,
  type Report,
  type Rule,
  text,
  textOrEmpty,
} from './field-rules.js';

/** How a client proves at the token endpoint who it is. A client of either secret method may use both. */
export type ClientAuthMethod =
  'client_secret_basic' | 'client_secret_post' | 'private_key_jwt' | 'none';

export type GrantType =
  | 'authorization_code'
  | 'refresh_token'
  | 'client_credentials'
  | 'urn:ietf:params:oauth:grant-type:device_code';

/** The part of a registered service that an OpenID Connect client has. */
export interface ClientDefinition {
  /** Compared character by character; of loopback hosts, a native client may use any port. */
  readonly redirectUris: readonly string[];
  /** In RE2 syntax, each for a whole URI. For imports: each begins with a host that is written out. */
  readonly redirectUriPatterns: readonly string[];
  readonly postLogoutRedirectUris: readonly string[];
  readonly applicationType: 'web' | 'native';
  readonly tokenEndpointAuthMethod: ClientAuthMethod;
  readonly grantTypes: readonly GrantType[];
  /** The scopes that it may ask for. */
  readonly scopes: readonly string[];
  /** Always true for a public client, whose method is `none`. */
  readonly pkceRequired: boolean;
  /** Whether its authorization requests must be pushed. @see RFC 9126 */
  readonly parRequired: boolean;
  /** @see RFC 9449 */
  readonly dpopRequired: boolean;
  readonly idTokenAlgorithm: 'RS256' | 'ES256';
  /** False: the claims of scopes are at the userinfo endpoint alone. */
  readonly claimsInIdToken: boolean;
  /** Null for the default of the installation. */
  readonly consent: 'always' | 'once' | 'never' | null;
  /** Public keys alone. */
  readonly jwks: PublicKeys | null;
  readonly jwksUri: string | null;
  /** In seconds; null for that of the setting. */
  readonly accessTokenLifetime: number | null;
  /** In seconds; null for that of the setting. */
  readonly refreshTokenLifetime: number | null;
}

/** A definition whose missing fields have their defaults. */
export type NewClient = Partial<ClientDefinition>;

/** The defaults of missing fields: a confidential client of the web that signs users in. */
export const CLIENT_DEFAULTS: ClientDefinition = {
  redirectUris: [],
  redirectUriPatterns: [],
  postLogoutRedirectUris: [],
  applicationType: 'web',
  tokenEndpointAuthMethod: 'client_secret_basic',
  grantTypes: ['authorization_code', 'refresh_token'],
  scopes: ['openid', 'profile', 'email'],
  pkceRequired: true,
  parRequired: false,
  dpopRequired: false,
  idTokenAlgorithm: 'RS256',
  claimsInIdToken: false,
  consent: null,
  jwks: null,
  jwksUri: null,
  accessTokenLifetime: null,
  refreshTokenLifetime: null,
};

const GRANT_TYPES = [
  'authorization_code',
  'refresh_token',
  'client_credentials',
  'urn:ietf:params:oauth:grant-type:device_code',
] as const satisfies readonly GrantType[];
/** Of OAuth 2.0: people look for them. */
const NOT_OFFERED = new Set<unknown>(['implicit', 'password']);

const CLIENT_ID_LENGTH = 24;
const MAX_URIS = 100;
const MAX_PATTERN_LENGTH = 2_000;
/** In seconds: a day, and 400 days. */
const MAX_ACCESS_TOKEN_LIFETIME = 86_400;
const MAX_REFRESH_TOKEN_LIFETIME = 34_560_000;
/** @see RFC 6749 §3.3 */
const SCOPE = /^[!\x23-\x5b\x5d-\x7e]{1,255}$/;
/** Without spaces. A colon is allowed: HTTP Basic encodes it. @see RFC 6749 §2.3.1 */
const CLIENT_ID = /^[!-~]{1,255}$/;

/** A random one. */
export function newClientId(): string {
  return randomId(CLIENT_ID_LENGTH);
}

const optional =
  <T>(rule: Rule<T>): Rule<T | null> =>
  (value, report) =>
    value === null ? null : rule(value, report);

/** A list that may be empty. */
const listUpTo =
  <T>(entry: Rule<T>, maxLength: number): Rule<readonly T[]> =>
  (value, report) =>
    Array.isArray(value) && value.length === 0 ? [] : listOf(entry, maxLength)(value, report);

const uri =
  (violation: (uri: string) => string | undefined): Rule<string> =>
  (value, report) => {
    const reason = typeof value === 'string' ? violation(value) : 'must be a text';
    if (reason !== undefined) report(reason);
    return textOrEmpty(value);
  };

const scope: Rule<string> = (value, report) => {
  const isScope = typeof value === 'string' && SCOPE.test(value);
  if (!isScope) report('must be names of scopes: 1 to 255 characters of ASCII without spaces');
  return textOrEmpty(value);
};

const grantType: Rule<GrantType> = (value, report) =>
  oneOf(...GRANT_TYPES)(value, (reason) => {
    report(NOT_OFFERED.has(value) ? `${reason}: ${String(value)} is not offered` : reason);
  });

type Field = keyof ClientDefinition;

/** Without the rules between fields, see {@link JOINT_RULES}. */
const RULES: { readonly [F in Field]: Rule<ClientDefinition[F]> } = {
  // Which schemes they may have depends on the application type.
  redirectUris: listUpTo(uri(redirectUriViolation), MAX_URIS),
  redirectUriPatterns: listUpTo(text({ minLength: 1, maxLength: MAX_PATTERN_LENGTH }), MAX_URIS),
  postLogoutRedirectUris: listUpTo(uri(redirectUriViolation), MAX_URIS),
  applicationType: oneOf('web', 'native'),
  tokenEndpointAuthMethod: oneOf(
    'client_secret_basic',
    'client_secret_post',
    'private_key_jwt',
    'none',
  ),
  grantTypes: listOf(grantType, GRANT_TYPES.length),
  // Without one, the library would grant a client all scopes.
  scopes: listOf(scope, MAX_URIS),
  pkceRequired: bool,
  parRequired: bool,
  dpopRequired: bool,
  idTokenAlgorithm: oneOf('RS256', 'ES256'),
  claimsInIdToken: bool,
  consent: optional(oneOf('always', 'once', 'never')),
  jwks: optional(publicKeys),
  jwksUri: optional(uri(serverUriViolation)),
  accessTokenLifetime: optional(integer(1, MAX_ACCESS_TOKEN_LIFETIME)),
  refreshTokenLifetime: optional(integer(1, MAX_REFRESH_TOKEN_LIFETIME)),
};

export const clientId: Rule<string | null> = optional((value, report) => {
  if (typeof value !== 'string' || !CLIENT_ID.test(value)) {
    report('must be 1 to 255 characters of ASCII without spaces');
  }
  return textOrEmpty(value);
});

/** Completes the definition with the defaults. Does not compile patterns. */
export const clientDefinition: Rule<ClientDefinition | null> = optional((value, report) => {
  if (!isRecord(value)) {
    report('must be a map');
    return CLIENT_DEFAULTS;
  }
  const definition = { ...CLIENT_DEFAULTS };
  const unknown = Object.keys(value).filter((each) => !Object.hasOwn(RULES, each));
  for (const field of unknown) report('is no field of a client', field);
  const valid = new Set<Field>();
  for (const field of Object.keys(RULES) as Field[]) {
    const given = value[field] === undefined ? CLIENT_DEFAULTS[field] : value[field];
    const reasons = new Set<string>();
    const read = RULES[field](given, (reason) => reasons.add(reason));
    // A reason that holds for several entries of a list is reported once.
    for (const reason of reasons) report(reason, field);
    if (reasons.size > 0) continue;
    Object.assign(definition, { [field]: read });
    valid.add(field);
  }
  for (const { fields, check } of JOINT_RULES) {
    if (fields.every((field) => valid.has(field))) check(definition, report);
  }
  return definition;
});

/** Whether the client proves by a secret who it is. */
export function hasSecrets(client: NewClient | null): boolean {
  return client?.tokenEndpointAuthMethod?.startsWith('client_secret') ?? false;
}

/** The patterns of an input; none where they are invalid. Its other fields do not matter. */
export function redirectUriPatternsOf(client: unknown): readonly string[] {
  const given = isRecord(client) ? client['redirectUriPatterns'] : undefined;
  let isValid = true;
  const patterns = RULES.redirectUriPatterns(given ?? [], () => {
    isValid = false;
  });
  return isValid ? patterns : [];
}

/** A rule between fields, which applies where each of them is valid. */
interface JointRule {
  readonly fields: readonly Field[];
  readonly check: (definition: ClientDefinition, report: Report) => void;
}

const JOINT_RULES: readonly JointRule[] = [
  schemesOf('redirectUris'),
  schemesOf('postLogoutRedirectUris'),
  {
    fields: ['grantTypes', 'redirectUris', 'redirectUriPatterns'],
    check({ grantTypes, redirectUris, redirectUriPatterns }, report) {
      if (!grantTypes.includes('authorization_code')) return;
      if (redirectUris.length + redirectUriPatterns.length > 0) return;
      report('must have a URI for the grant type authorization_code', 'redirectUris');
    },
  },
  {
    fields: ['tokenEndpointAuthMethod', 'pkceRequired'],
    check({ tokenEndpointAuthMethod: method, pkceRequired }, report) {
      if (method !== 'none' || pkceRequired) return;
      report('must be true for a public client', 'pkceRequired');
    },
  },
  {
    fields: ['tokenEndpointAuthMethod', 'grantTypes'],
    check({ tokenEndpointAuthMethod: method, grantTypes }, report) {
      if (method !== 'none' || !grantTypes.includes('client_credentials')) return;
      report('must not hold client_credentials for a public client', 'grantTypes');
    },
  },
  {
    fields: ['jwks', 'jwksUri'],
    check({ jwks, jwksUri }, report) {
      if (jwks !== null && jwksUri !== null) report('must not be given beside jwks', 'jwksUri');
    },
  },
  {
    fields: ['tokenEndpointAuthMethod', 'jwks', 'jwksUri'],
    check({ tokenEndpointAuthMethod: method, jwks, jwksUri }, report) {
      if (method !== 'private_key_jwt' || jwks !== null || jwksUri !== null) return;
      report('or jwksUri must be given for private_key_jwt', 'jwks');
    },
  },
];

function schemesOf(field: 'redirectUris' | 'postLogoutRedirectUris'): JointRule {
  return {
    fields: [field, 'applicationType'],
    check({ [field]: uris, applicationType }, report) {
      const violations = uris.flatMap((each) => schemeViolation(each, applicationType) ?? []);
      for (const reason of new Set(violations)) report(reason, field);
    },
  };
}
