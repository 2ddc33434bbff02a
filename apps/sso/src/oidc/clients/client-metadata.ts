// Registered services as the metadata of clients, and the other way round. @see RFC 7591, section 2
import { type AllClientMetadata, errors } from 'oidc-provider';
import {
  type ClientDefinition,
  type FieldViolation,
  hasSecrets,
  InvalidServiceError,
  type NewService,
  originOfPattern,
  readDefinition,
  type RegisteredClient,
  serverUriViolation,
} from '@tessera/services';
import { STANDARD_SCOPES } from '../claims/claims.js';

/** What a client has sent: members of any type. */
export type SentMetadata = Readonly<Record<string, unknown>>;

/** The members that are a field of a client as they are. */
const FIELDS = {
  redirect_uris: 'redirectUris',
  post_logout_redirect_uris: 'postLogoutRedirectUris',
  application_type: 'applicationType',
  token_endpoint_auth_method: 'tokenEndpointAuthMethod',
  grant_types: 'grantTypes',
  id_token_signed_response_alg: 'idTokenAlgorithm',
  require_pushed_authorization_requests: 'parRequired',
  dpop_bound_access_tokens: 'dpopRequired',
  jwks: 'jwks',
  jwks_uri: 'jwksUri',
} as const satisfies Record<string, keyof ClientDefinition>;

const MEMBERS: ReadonlyMap<string, string> = new Map([
  ['name', 'client_name'],
  ['client.scopes', 'scope'],
  ...Object.entries(FIELDS).map(([member, field]) => [`client.${field}`, member] as const),
]);

/** The others are for clients that an operator trusts. */
const GRANT_TYPES: readonly unknown[] = [
  'authorization_code',
  'refresh_token',
  'urn:ietf:params:oauth:grant-type:device_code',
];
const SCOPES = Object.keys(STANDARD_SCOPES);
/** Some letters of Unicode are shown as nothing. */
const SHOWN = /(?!\p{Default_Ignorable_Code_Point})[\p{L}\p{N}]/u;
const SUBJECT_TYPES: readonly unknown[] = ['public', 'pairwise'];

/** A client that asks for these would be less safe without them, or know its users by other names than it expects. */
const REFUSED = [
  'sector_identifier_uri',
  'id_token_encrypted_response_alg',
  'userinfo_signed_response_alg',
  'userinfo_encrypted_response_alg',
  'require_signed_request_object',
  'default_max_age',
  'tls_client_certificate_bound_access_tokens',
];

const LOGOUT_CHANNELS = [
  ['back', 'backchannel_logout'],
  ['front', 'frontchannel_logout'],
] as const;

/** Secrets are compared in the store: the library must not have one, and wants a text. */
const NO_SECRET = '-';

/** As the library wants it. @param scopes of the server. The library refuses a client that has others */
export function metadataOf(
  { name, clientId, client }: Pick<RegisteredClient, 'name' | 'clientId' | 'client'>,
  scopes: readonly string[],
): AllClientMetadata {
  const hasCode = client.grantTypes.includes('authorization_code');
  return {
    client_id: clientId,
    client_name: name,
    ...(hasSecrets(client) && { client_secret: NO_SECRET }),
    application_type: client.applicationType,
    token_endpoint_auth_method: client.tokenEndpointAuthMethod,
    // Of patterns, the library needs the origins: for CORS, and because it wants a URI.
    redirect_uris: [...client.redirectUris, ...client.redirectUriPatterns.map(originOfPattern)],
    grant_types: [...client.grantTypes],
    response_types: hasCode ? ['code'] : [],
    scope: client.scopes.filter((each) => scopes.includes(each)).join(' '),
    id_token_signed_response_alg: client.idTokenAlgorithm,
    require_pushed_authorization_requests: client.parRequired,
    dpop_bound_access_tokens: client.dpopRequired,
    ...(client.jwks !== null && { jwks: client.jwks }),
    ...(client.jwksUri !== null && { jwks_uri: client.jwksUri }),
  };
}

/** The answer to a registration, without the secret. */
export function answerOf(
  service: Pick<
    RegisteredClient,
    'name' | 'clientId' | 'client' | 'usernameAttribute' | 'logoutType' | 'logoutUrl'
  >,
  scopes: readonly string[],
): AllClientMetadata {
  const { client_secret: _secret, ...metadata } = metadataOf(service, scopes);
  const { client, usernameAttribute, logoutType, logoutUrl } = service;
  const channel = LOGOUT_CHANNELS.find(([type]) => type === logoutType)?.[1];
  return {
    ...metadata,
    post_logout_redirect_uris: client.postLogoutRedirectUris,
    subject_type: usernameAttribute.kind === 'anonymous' ? 'pairwise' : 'public',
    ...(channel && { [`${channel}_uri`]: logoutUrl, [`${channel}_session_required`]: true }),
  };
}

/**
 * The service that a client describes. Other members than these have no effect, unless {@link REFUSED} names them.
 *
 * @throws InvalidClientMetadata
 */
export function serviceFor(sent: SentMetadata, clientId: string): NewService {
  // `null` stands for an absent member.
  const given = Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== null));
  const violations = [...violationsIn(given)];
  if (violations.length > 0) throw refusal(violations);
  const service = {
    name: given['client_name'] ?? clientId,
    description: 'Registered by itself at /oidc/register',
    clientId,
    client: clientIn(given),
    attributeRelease: { kind: 'all' },
    ...(given['subject_type'] === 'pairwise' && { usernameAttribute: { kind: 'anonymous' } }),
    ...logoutIn(given),
  };
  try {
    // It reports what has another type than NewService.
    return readDefinition(service as unknown as NewService);
  } catch (error) {
    throw error instanceof InvalidServiceError ? refusal(error.violations.map(inMembers)) : error;
  }
}

function clientIn(given: SentMetadata): object {
  const fields = Object.entries(FIELDS).flatMap(([member, field]) =>
    given[member] === undefined ? [] : [[field, given[member]] as const],
  );
  return {
    // The default of RFC 7591.
    grantTypes: ['authorization_code'],
    ...Object.fromEntries(fields),
    // OpenID Connect registrations have no such member.
    scopes: typeof given['scope'] === 'string' ? scopesIn(given['scope']) : SCOPES,
    // No operator has checked the client, so its users decide.
    consent: 'always',
  };
}

function scopesIn(scope: string): readonly string[] {
  return [...new Set(scope.split(' ').filter((each) => each !== ''))];
}

/** A service has one way: the more reliable one. */
function logoutIn(given: SentMetadata): object {
  const [type, channel] = LOGOUT_CHANNELS.find(([, each]) => given[`${each}_uri`]) ?? [];
  return type === undefined ? {} : { logoutType: type, logoutUrl: given[`${channel}_uri`] };
}

/** Of the rules that a client of an operator does not have, and of members that are no field. */
function* violationsIn(given: SentMetadata): Iterable<FieldViolation> {
  const { client_name: name, grant_types: grantTypes, scope, subject_type: subjectType } = given;
  // Users are asked by it.
  if (typeof name === 'string' && !SHOWN.test(name)) {
    yield { field: 'client_name', reason: 'must have a letter or digit that people see' };
  }
  if (Array.isArray(grantTypes) && !grantTypes.every((each) => GRANT_TYPES.includes(each))) {
    yield { field: 'grant_types', reason: `must be of ${GRANT_TYPES.join(', ')}` };
  }
  yield* responseTypeViolations(given);
  const isOfScopes =
    typeof scope === 'string' && scopesIn(scope).every((each) => SCOPES.includes(each));
  if (scope !== undefined && !isOfScopes) {
    yield { field: 'scope', reason: `must be of ${SCOPES.join(' ')}` };
  }
  if (subjectType !== undefined && !SUBJECT_TYPES.includes(subjectType)) {
    yield { field: 'subject_type', reason: `must be ${SUBJECT_TYPES.join(' or ')}` };
  }
  for (const field of REFUSED) {
    if (given[field] !== undefined && given[field] !== false) {
      yield { field, reason: 'is not supported' };
    }
  }
  yield* logoutViolations(given);
}

function* responseTypeViolations(given: SentMetadata): Iterable<FieldViolation> {
  const { response_types: types, grant_types: grantTypes = ['authorization_code'] } = given;
  if (types === undefined) return;
  const hasCode = Array.isArray(grantTypes) && grantTypes.includes('authorization_code');
  const expected = hasCode ? ['code'] : [];
  if (!Array.isArray(types) || !isEqualList(types, expected)) {
    const rule = hasCode ? 'code alone' : 'empty without the grant type authorization_code';
    yield { field: 'response_types', reason: `must be ${rule}` };
  }
}

function isEqualList(list: readonly unknown[], expected: readonly unknown[]): boolean {
  return list.length === expected.length && list.every((each, at) => each === expected[at]);
}

function* logoutViolations(given: SentMetadata): Iterable<FieldViolation> {
  for (const [type, channel] of LOGOUT_CHANNELS) {
    const field = `${channel}_uri`;
    const uri = given[field];
    const isRequired = given[`${channel}_session_required`];
    if (isRequired !== undefined && typeof isRequired !== 'boolean') {
      yield { field: `${channel}_session_required`, reason: 'must be true or false' };
    }
    const reason = uri === undefined ? undefined : logoutUriViolation(uri, type, given);
    if (reason !== undefined) yield { field, reason };
  }
}

function logoutUriViolation(
  uri: unknown,
  type: 'back' | 'front',
  given: SentMetadata,
): string | undefined {
  if (typeof uri !== 'string') return 'must be a text';
  // The field of a service lists several, separated by commas.
  const reason = uri.includes(',') ? 'must not have a comma' : serverUriViolation(uri);
  if (reason !== undefined || type === 'back') return reason;
  // @see OpenID Connect Front-Channel Logout 1.0, section 2
  return originsIn(given).includes(new URL(uri).origin)
    ? undefined
    : 'must have the scheme, host and port of a redirect URI';
}

function originsIn({ redirect_uris: uris }: SentMetadata): readonly (string | undefined)[] {
  if (!Array.isArray(uris)) return [];
  return uris.map((each) => (typeof each === 'string' ? URL.parse(each)?.origin : undefined));
}

function inMembers({ field, reason }: FieldViolation): FieldViolation {
  return { field: MEMBERS.get(field) ?? field, reason: reason.replace('jwksUri', 'jwks_uri') };
}

/** The library makes the code of the first word: `invalid_redirect_uri`, or `invalid_client_metadata`. */
function refusal(violations: readonly FieldViolation[]): errors.InvalidClientMetadata {
  const isFirst = ({ field }: FieldViolation): boolean => field === 'redirect_uris';
  const sorted = [...violations.filter(isFirst), ...violations.filter((each) => !isFirst(each))];
  const descriptions = new Set(sorted.map(({ field, reason }) => `${field} ${reason}`));
  return new errors.InvalidClientMetadata([...descriptions].join('; '));
}
