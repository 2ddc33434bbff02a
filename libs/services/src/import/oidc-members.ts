// The members of Apereo's OpenID Connect and OAuth services, besides those that all services have. Fields of the draft with
// the prefix `client.` are those of the client.
import { publicKeys } from '../client-keys.js';
import { serverUriViolation } from '../client-uris.js';
import { secondsOf } from './apereo-lifetimes.js';
import { MEMBERS } from './apereo-members.js';
import {
  clientReleasePolicy,
  sectorIdentifier,
  subjectType,
  usernameProvider,
} from './oidc-claims.js';
import type { HjsonObject } from './hjson.js';
import {
  booleanOf,
  collectionOf,
  entriesOf,
  field,
  type Handler,
  integerOf,
  isObject,
  isScript,
  isUnset,
  type Members,
  membersOf,
  policyOf,
  restricts,
  restrictsUnlessEmpty,
  textOf,
  withoutEffect,
} from './member-handlers.js';
import type { ServiceDraft } from './service-draft.js';

const MAX_ACCESS_SECONDS = 86_400;
const MAX_REFRESH_SECONDS = 34_560_000;

/** Read with others, when all members are read. */
const later: Handler = () => {};

const secret: Handler = (value, member, draft) => {
  const text = textOf(value) ?? '';
  if (text.trim() === '') return;
  if (text.startsWith('{cas-cipher}')) {
    draft.addNotUnderstood(
      member,
      'is encrypted, and the import has no key: write the secret itself',
    );
  } else if (isScript(text)) {
    draft.addNotUnderstood(
      member,
      'is an expression, which is not run here: write the secret itself',
    );
  } else {
    draft.secrets.push(text);
  }
};

/** Of CAS 8. */
const secrets: Handler = (value, member, draft) => {
  for (const [at, each] of (collectionOf(value) ?? []).entries()) {
    const path = `${member}[${at}]`;
    if (!isObject(each)) draft.addNotUnderstood(path, 'is not understood');
    else if (!isUnset(each.get('expiration') ?? null)) {
      draft.addNotUnderstood(`${path}.expiration`, 'ends the secret, which is not done here');
    } else secret(each.get('value') ?? null, path, draft);
  }
};

const consent: Handler = (value, member, draft) => {
  const isBypassed = booleanOf(value);
  if (isBypassed !== undefined) draft.take(member, 'client.consent', isBypassed ? 'never' : 'once');
  else if (value !== null) draft.addNotUnderstood(member, 'must be true or false');
};

/** @param name the lifetime of the client, which its shortest limit sets */
const limit =
  (name: string, max: number): Handler =>
  (value, member, draft) => {
    if (value === null || value === '') return;
    const seconds = secondsOf(value);
    if (seconds === undefined || seconds <= 0) {
      draft.addNotUnderstood(member, 'is no time above zero in seconds, nor one such as PT8H');
      return;
    }
    const others = draft.fields[name];
    const least = Math.min(seconds, typeof others === 'number' ? others : max, max);
    draft.take(member, name, least);
    if (seconds > max) draft.addWithoutEffect(member, `is ${max} seconds here, the longest`);
  };

const accessLimit = limit('client.accessTokenLifetime', MAX_ACCESS_SECONDS);
const NOT_COUNTED = withoutEffect('has no effect: tokens are not counted');
const lifetimes = (token: string, known: Readonly<Record<string, Handler>>): Handler =>
  policyOf(`DefaultRegisteredServiceOAuth${token}ExpirationPolicy`, membersOf(known));

const NO_SUCH_CODE = withoutEffect('has no effect: a code lives 60 seconds, and is redeemed once');

const signingAlgorithm: Handler = (value, member, draft) => {
  if (isUnset(value)) return;
  if (value === 'RS256' || value === 'ES256') draft.take(member, 'client.idTokenAlgorithm', value);
  else draft.addWithoutEffect(member, 'is RS256 here: the application must accept it');
};

/** Without keys, the client cannot sign: then its method of authentication is not understood. */
const jwks: Handler = (value, member, draft) => {
  const text = (textOf(value) ?? '').trim();
  if (/^https?:/i.test(text)) {
    const violation = serverUriViolation(text);
    if (violation === undefined) draft.take(member, 'client.jwksUri', text);
    else draft.addWithoutEffect(member, `is left out: it ${violation}`);
  } else if (text.startsWith('{') && !isScript(text)) inlineKeys(text, member, draft);
  else if (text !== '') {
    draft.addWithoutEffect(
      member,
      'is left out: a file of keys is not read; for a client that signs, write its public keys or an https URL',
    );
  }
};

function inlineKeys(text: string, member: string, draft: ServiceDraft): void {
  const given = parsed(text);
  const keys = isKey(given) ? { keys: [given] } : given;
  const reasons: string[] = [];
  const read = publicKeys(keys, (reason) => reasons.push(reason));
  if (reasons.length === 0) draft.take(member, 'client.jwks', read);
  else draft.addWithoutEffect(member, `is left out: it ${reasons[0]}`);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function isKey(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'kty' in value;
}

const flag =
  (whenFalse: string): Handler =>
  (value, member, draft) => {
    if (booleanOf(value) === false) draft.addWithoutEffect(member, whenFalse);
    else if (value !== null) draft.take(member);
  };

/** Keys that Apereo CAS keeps among the properties stay out of the registry. */
const properties: Handler = (value, member, draft) => {
  if (!isObject(value)) {
    PROPERTIES?.(value, member, draft);
    return;
  }
  const isOfTokens = (name: string): boolean => /key|secret|jwt|^oidc|^oauth/i.test(name);
  const left = entriesOf(value).filter(([name]) => isOfTokens(name));
  for (const [name] of left) {
    draft.addWithoutEffect(`${member}.${name}`, 'has no effect: tokens are not made so here');
  }
  const names = new Set(left.map(([name]) => name));
  const rest = new Map([...value].filter(([name]) => !names.has(name)));
  if (entriesOf(rest).length > 0) PROPERTIES?.(rest, member, draft);
};
const PROPERTIES = MEMBERS.known.get('properties');

const expiration: Handler = (value, member, draft) => {
  if (isUnset(value) || integerOf(value) === 0n) return;
  draft.addNotUnderstood(member, 'ends the secret, which is not done here');
};

const ENCRYPTED = 'encrypts what the client gets, which is not done here';
const OPAQUE = withoutEffect(
  'has no effect: access tokens are opaque, and resource servers ask /introspect',
);
const NO_CIBA = withoutEffect('has no effect: sign-in on another device by CIBA is not offered');
const NO_TLS = withoutEffect('has no effect: clients do not authenticate by TLS here');
const CACHE = withoutEffect('has no effect: keys are loaded when they are needed');
const PLAIN_USERINFO = withoutEffect('has no effect: the answer of /userinfo is plain JSON');
const REGISTERED = withoutEffect('has no effect: it says how the client was registered');

/** Members that do not depend on others. */
const CLIENT = {
  clientId: field('clientId'),
  clientSecret: secret,
  clientSecrets: secrets,
  clientSecretExpiration: expiration,
  bypassApprovalPrompt: consent,
  supportedGrantTypes: later,
  supportedResponseTypes: later,
  generateRefreshToken: later,
  renewRefreshToken: flag(
    'is not followed: each refresh gives a new refresh token, and the application must keep it',
  ),
  jsonFormat: flag('has no effect: answers are JSON'),
  scopes: later,
  serviceId: later,
  matchingStrategy: later,
  applicationType: later,
  tokenEndpointAuthenticationMethod: later,
  logoutUrl: later,
  properties,
  attributeReleasePolicy: clientReleasePolicy,
  accessTokenExpirationPolicy: lifetimes('AccessToken', {
    maxTimeToLive: accessLimit,
    timeToKill: accessLimit,
    maxActiveTokens: NOT_COUNTED,
  }),
  refreshTokenExpirationPolicy: lifetimes('RefreshToken', {
    timeToKill: limit('client.refreshTokenLifetime', MAX_REFRESH_SECONDS),
    maxActiveTokens: NOT_COUNTED,
  }),
  codeExpirationPolicy: lifetimes('Code', { timeToLive: NO_SUCH_CODE, numberOfUses: NO_SUCH_CODE }),
  deviceTokenExpirationPolicy: withoutEffect('has no effect: device codes live as the server says'),
  idTokenExpirationPolicy: withoutEffect('has no effect: an ID token lives as the access token'),
  tokenExchangePolicy: withoutEffect('has no effect: tokens are not exchanged here'),
  idTokenSigningAlg: signingAlgorithm,
  signIdToken: flag('has no effect: ID tokens are always signed'),
  encryptIdToken: restricts(ENCRYPTED),
  idTokenEncryptionAlg: withoutEffect('has no effect: ID tokens are not encrypted'),
  idTokenEncryptionEncoding: withoutEffect('has no effect: ID tokens are not encrypted'),
  idTokenEncryptionOptional: withoutEffect('has no effect: ID tokens are not encrypted'),
  includeIdTokenClaims: withoutEffect('has no effect: claims are in the ID token too'),
  idTokenIssuer: withoutEffect(
    'has no effect: the issuer is {sso.base-url}/oidc, and the application must be told',
  ),
  userInfoSigningAlg: PLAIN_USERINFO,
  userInfoEncryptedResponseAlg: restrictsUnlessEmpty(ENCRYPTED),
  userInfoEncryptedResponseEncoding: PLAIN_USERINFO,
  userProfileViewType: withoutEffect('has no effect: claims are flat'),
  introspectionSignedResponseAlg: withoutEffect(
    'has no effect: the answer of /introspect is plain JSON',
  ),
  introspectionEncryptedResponseAlg: withoutEffect(
    'has no effect: the answer of /introspect is plain JSON',
  ),
  introspectionEncryptedResponseEncoding: withoutEffect(
    'has no effect: the answer of /introspect is plain JSON',
  ),
  jwks,
  jwksKeyId: withoutEffect('has no effect: a token names its key'),
  jwksCacheDuration: CACHE,
  jwksCacheTimeUnit: CACHE,
  jwtAccessToken: OPAQUE,
  jwtRefreshToken: OPAQUE,
  jwtAccessTokenSigningAlg: OPAQUE,
  audience: OPAQUE,
  responseMode: withoutEffect('has no effect: the application asks for it by response_mode'),
  implicit: withoutEffect(
    'is not offered: tokens in addresses leak; the application must use the code flow',
  ),
  dynamicallyRegistered: REGISTERED,
  dynamicRegistrationDateTime: REGISTERED,
  backchannelTokenDeliveryMode: NO_CIBA,
  backchannelClientNotificationEndpoint: NO_CIBA,
  backchannelAuthenticationRequestSigningAlg: NO_CIBA,
  backchannelUserCodeParameterSupported: NO_CIBA,
  tlsClientAuthSubjectDn: NO_TLS,
  tlsClientAuthSanDns: NO_TLS,
  tlsClientAuthSanUri: NO_TLS,
  tlsClientAuthSanIp: NO_TLS,
  tlsClientAuthSanEmail: NO_TLS,
};

/** @param file the whole service */
export function clientMembers(file: HjsonObject): Members {
  const known = new Map([...MEMBERS.known, ...Object.entries<Handler>(CLIENT)]);
  known.set('subjectType', subjectType(file));
  known.set('sectorIdentifierUri', sectorIdentifier(file));
  known.set('usernameAttributeProvider', usernameProvider(file));
  return { known, others: MEMBERS.others };
}
