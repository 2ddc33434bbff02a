// Reads an OpenID Connect or OAuth service of Apereo CAS as a client. It takes no part in CAS: it opens and closes no URL.
import { redirectUriViolation, schemeViolation } from '../client-uris.js';
import { listedUrls } from '../logout-urls.js';
import type { ServiceDefinition } from '../registered-service.js';
import { fieldViolation, inspectDefinition } from '../service-definition.js';
import type { HjsonObject } from './hjson.js';
import { classOf, isObject, isUnset, readMembers, textOf, textsOf } from './member-handlers.js';
import { definesScope } from './oidc-claims.js';
import { readGrants } from './oidc-grants.js';
import { clientMembers } from './oidc-members.js';
import { readRedirectUris, type ReadRedirectUris } from './redirect-uris.js';
import { ServiceDraft } from './service-draft.js';

/** Nobody has this host. @see RFC 2606 */
const NOWHERE = 'https://redirect-uri-unknown.invalid/';
const OIDC = 'OidcRegisteredService';
const EXACT = 'LiteralRegisteredServiceMatchingStrategy';
const WHOLE = 'FullRegexRegisteredServiceMatchingStrategy';
/** A scheme of an application's own, such as `com.example.app`. */
const PRIVATE_SCHEME = /^\^?\(?[a-z][a-z0-9+-]*(?:\\?\.[a-z0-9+-]+)+:/i;
const STANDARD_SCOPES = ['openid', 'profile', 'email', 'address', 'phone', 'offline_access'];
/** The default of the setting has it. */
const KNOWN_SCOPES = new Set([...STANDARD_SCOPES, 'groups']);
/** Of parts of Apereo CAS that are not here. */
const OTHER_SCOPES = /^(?:uma_|client_\w+_scope$|device_sso$|assurance$)/;
const DEFAULTS = { evaluationOrder: 0, logoutType: 'back' };

export function hasClientId(file: HjsonObject): boolean {
  const clientId = textOf(file.get('clientId') ?? null);
  return clientId !== undefined && fieldViolation('clientId', clientId) === undefined;
}

/** @param file one with a client id */
export function readClientDraft(file: HjsonObject): ServiceDraft {
  const draft = new ServiceDraft();
  readMembers(file, clientMembers(file), draft);
  const type = typeOf(file);
  draft.take('clientId', 'client.applicationType', type);
  if (file.has('applicationType')) draft.take('applicationType');
  if (classOf(file) === OIDC) draft.take('clientId', 'client.claimsInIdToken', true);
  readGrants(file, draft);
  takeRedirectUris(file, type, draft);
  takeScopes(file, draft);
  takeLogoutUrl(file, draft);
  return draft;
}

/** Complete and valid: what is not is in the draft's report, and the service disabled. */
export function clientDefinitionOf(draft: ServiceDraft, fallbackName: string): ServiceDefinition {
  for (let isSecond = false; ; isSecond = true) {
    const { definition, violations } = inspectDefinition(fieldsOf(draft, fallbackName, isSecond));
    if (violations.length === 0) return definition;
    for (const { field, reason } of violations) {
      const [name = field, inner] = field.split('.');
      const known = name === 'client' ? `client.${inner}` : name;
      draft.refuse(known, field.slice(known.length), reason);
    }
  }
}

/** @param isBare leaves out the client's own fields, after they were found invalid together */
function fieldsOf(
  draft: ServiceDraft,
  fallbackName: string,
  isBare: boolean,
): Readonly<Record<string, unknown>> {
  const given = Object.entries(draft.fields);
  const isOfClient = ([name]: readonly [string, unknown]): boolean => name.startsWith('client.');
  const own = given
    .filter(isOfClient)
    .map(([name, value]) => [name.slice('client.'.length), value]);
  return {
    ...DEFAULTS,
    name: fallbackName,
    ...Object.fromEntries(given.filter((each) => !isOfClient(each))),
    client: isBare ? { redirectUris: [NOWHERE] } : Object.fromEntries(own),
  };
}

function typeOf(file: HjsonObject): 'web' | 'native' {
  const isNative = textOf(file.get('applicationType') ?? null)?.toLowerCase() === 'native';
  return isNative || PRIVATE_SCHEME.test(textOf(file.get('serviceId') ?? null) ?? '')
    ? 'native'
    : 'web';
}

function takeRedirectUris(file: HjsonObject, type: 'web' | 'native', draft: ServiceDraft): void {
  const read = redirectUrisOf(file, type, draft);
  const grants = (draft.fields['client.grantTypes'] ?? []) as readonly string[];
  if ('reason' in read && grants.length > 0 && !grants.includes('authorization_code')) {
    draft.addWithoutEffect('serviceId', 'has no effect: browsers are not sent to the client');
    return;
  }
  if ('reason' in read) {
    draft.addNotUnderstood('serviceId', `${read.reason}: write the redirect URIs instead`);
    draft.take('clientId', 'client.redirectUris', [NOWHERE]);
    return;
  }
  draft.take('serviceId', 'client.redirectUris', read.uris);
  if (read.patterns.length > 0) {
    draft.take('serviceId', 'client.redirectUriPatterns', read.patterns);
  }
  for (const note of read.notes) draft.addWithoutEffect('serviceId', note);
}

function redirectUrisOf(
  file: HjsonObject,
  type: 'web' | 'native',
  draft: ServiceDraft,
): ReadRedirectUris {
  const pattern = textOf(file.get('serviceId') ?? null) ?? '';
  const strategy = file.get('matchingStrategy') ?? null;
  const way = isObject(strategy) ? (classOf(strategy) ?? '') : WHOLE;
  if (pattern.trim() === '') return { reason: 'is missing' };
  if (way === WHOLE) return readRedirectUris(pattern, type);
  if (way !== EXACT) {
    draft.addNotUnderstood('matchingStrategy', 'matches otherwise than whole URIs');
    return { reason: 'is matched in another way' };
  }
  draft.take('matchingStrategy');
  const reason = redirectUriViolation(pattern) ?? schemeViolation(pattern, type);
  return reason === undefined ? { uris: [pattern], patterns: [], notes: [] } : { reason };
}

/** Apereo CAS releases claims by scope, unless a service has none: then by its policy alone. */
function takeScopes(file: HjsonObject, draft: ServiceDraft): void {
  const given = isUnset(file.get('scopes') ?? null) ? [] : textsOf(file.get('scopes') ?? null);
  if (given === undefined) {
    draft.addNotUnderstood('scopes', 'is not a list of names');
    return;
  }
  const left = given.filter((each) => OTHER_SCOPES.test(each));
  for (const each of left) {
    draft.addWithoutEffect('scopes', `leaves out ${each}, which is not offered`);
  }
  const scopes = [...new Set(['openid', ...given])].filter((each) => !left.includes(each));
  const isDefined = (scope: string): boolean =>
    KNOWN_SCOPES.has(scope) ||
    draft.withoutEffect.some(({ reason }) => reason.startsWith(definesScope(scope)));
  for (const each of scopes.filter((scope) => !isDefined(scope))) {
    draft.addWithoutEffect('scopes', `has ${each}, which nobody gets until sso.oidc.scopes has it`);
  }
  const hasClaims = scopes.some((each) => each !== 'openid' && each !== 'offline_access');
  const hasPolicy = draft.fields['attributeRelease'] !== undefined;
  if (given.length > 0) draft.take('scopes', 'client.scopes', scopes);
  if (hasClaims && !isObject(file.get('attributeReleasePolicy') ?? null)) {
    draft.take('scopes', 'attributeRelease', { kind: 'all' });
  } else if (!hasClaims && hasPolicy) {
    draft.take('attributeReleasePolicy', 'client.scopes', STANDARD_SCOPES.slice(0, -1));
    draft.addWithoutEffect(
      'attributeReleasePolicy',
      'counts for the claims of scopes: the application must ask for profile, email, address or phone, or for a scope of sso.oidc.scopes',
    );
  }
}

/** Apereo CAS takes the URIs of `serviceId` and the logout URLs as places to go to after the logout. */
function takeLogoutUrl(file: HjsonObject, draft: ServiceDraft): void {
  const given = textOf(file.get('logoutUrl') ?? null) ?? '';
  if (given.trim() !== '') draft.take('logoutUrl', 'logoutUrl', given);
  const type = typeOf(file);
  const redirectUris = (draft.fields['client.redirectUris'] ?? []) as readonly string[];
  const isAllowed = (uri: string): boolean =>
    (redirectUriViolation(uri) ?? schemeViolation(uri, type)) === undefined;
  const uris = [...redirectUris.filter((each) => each !== NOWHERE), ...listedUrls(given)];
  draft.take('clientId', 'client.postLogoutRedirectUris', [...new Set(uris.filter(isAllowed))]);
}
