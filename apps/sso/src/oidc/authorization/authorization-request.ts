// The rules of authorization requests in plain words, for dry runs. The library decides on real ones, in the same order.
import {
  type ClientDefinition,
  matchesRedirectPattern,
  type RegisteredClient,
} from '@tessera/services';
import { faultsIn, NO_SCOPE } from './authorization-parameters.js';
import type { ConsentRule } from '../consent/consent-rule.js';

/** Why a request is refused. */
export interface RequestViolation {
  readonly parameter: string;
  readonly reason: string;
  /** The error that the application gets. @see RFC 6749, section 4.1.2.1 */
  readonly error: string;
}

/** What the client and the server make of the parameters of a request. */
export interface AskedAuthorization {
  /** In the order in which they are looked for: the first decides. Empty for a request that is accepted. */
  readonly violations: readonly RequestViolation[];
  /** Undefined where the browser is not sent back, but shown a page. */
  readonly redirectUri: string | undefined;
  /** Those that are granted. The server ignores scopes that it does not know. */
  readonly scopes: readonly string[];
  /** Whether the user gives credentials even with a session. */
  readonly needsLogin: boolean;
}

interface Request {
  readonly parameters: URLSearchParams;
  readonly service: RegisteredClient;
  readonly consent: ConsentRule;
  /** Of the server. */
  readonly knownScopes: readonly string[];
}

type Check = (request: Request) => readonly RequestViolation[];

/** They may be given once. */
const PARAMETERS = [
  'acr_values',
  'claims_locales',
  'client_id',
  'code_challenge',
  'code_challenge_method',
  'display',
  'dpop_jkt',
  'login_hint',
  'max_age',
  'nonce',
  'prompt',
  'redirect_uri',
  'registration',
  'response_mode',
  'response_type',
  'scope',
  'state',
  'ui_locales',
];
/** The dry run does not check signatures, and has no pushed requests. */
export const UNREAD_PARAMETERS = ['request', 'request_uri', 'id_token_hint'];

const RESPONSE_MODES = ['query', 'fragment', 'form_post'];
const PROMPTS = ['none', 'login', 'consent'];
const SCOPES = /^[!\x23-\x5b\x5d-\x7e]+(?: [!\x23-\x5b\x5d-\x7e]+)*$/;
const ONLY_WITH_OPENID = ['acr_values', 'claims_locales', 'max_age', 'nonce'];
const CHALLENGE = /^[\w.~-]{43,128}$/;
const LOOPBACK_HOSTS = ['127.0.0.1', '[::1]', 'localhost'];
const NEAREST = 3;

const CHECKS: readonly Check[] = [
  checkOnce,
  checkClient,
  checkPushed,
  checkResponse,
  checkRedirectUriGiven,
  checkPrompt,
  checkScopes,
  checkOpenid,
  checkRedirectUri,
  checkPkce,
  checkMaxAge,
  ({ parameters }) => faultsIn([...parameters].filter(([name]) => PARAMETERS.includes(name))),
  checkSomeScope,
  checkNoPage,
];

export function readAuthorization(request: Request): AskedAuthorization {
  const uri = redirectUriOf(request);
  const isClientClear =
    request.parameters.getAll('client_id').length === 1 && checkClient(request).length === 0;
  const isAnswered =
    uri !== undefined && isClientClear && allowsRedirectUri(request.service.client, uri);
  return {
    violations: CHECKS.flatMap((check) => check(request)),
    redirectUri: isAnswered ? uri : undefined,
    scopes: grantedScopes(request),
    needsLogin: needsLogin(request),
  };
}

/** Undefined too for an empty one, as for the library. */
function valueOf({ parameters }: Pick<Request, 'parameters'>, name: string): string | undefined {
  return parameters.get(name) || undefined;
}

function promptsOf(request: Request): readonly string[] {
  return valueOf(request, 'prompt')?.split(' ') ?? [];
}

function violation(
  parameter: string,
  reason: string,
  error = 'invalid_request',
): readonly RequestViolation[] {
  return [{ parameter, reason, error }];
}

function checkOnce({ parameters }: Request): readonly RequestViolation[] {
  const repeated = PARAMETERS.filter((name) => parameters.getAll(name).length > 1);
  return repeated.flatMap((name) => violation(name, 'must not be given twice'));
}

/** The library takes no client without a scope. */
function checkClient({ service, knownScopes }: Request): readonly RequestViolation[] {
  if (service.client.scopes.some((each) => knownScopes.includes(each))) return [];
  const reason = 'is of a client without a scope of this server';
  return violation('client_id', reason, 'invalid_client_metadata');
}

function checkPushed({ service: { client } }: Request): readonly RequestViolation[] {
  if (!client.parRequired) return [];
  return violation(
    'request_uri',
    'is missing: requests of this client must be pushed (parRequired)',
  );
}

function checkResponse(request: Request): readonly RequestViolation[] {
  const mode = valueOf(request, 'response_mode');
  const type = valueOf(request, 'response_type');
  return [
    ...(mode === undefined || RESPONSE_MODES.includes(mode)
      ? []
      : violation(
          'response_mode',
          `is not ${either(RESPONSE_MODES)}`,
          'unsupported_response_mode',
        )),
    ...(type === undefined ? violation('response_type', 'is missing: it must be code') : []),
    ...(valueOf(request, 'registration') === undefined
      ? []
      : violation('registration', 'is not supported', 'registration_not_supported')),
    ...(type === undefined ? [] : checkResponseType(type, request.service.client)),
  ];
}

function checkResponseType(
  type: string,
  { grantTypes }: ClientDefinition,
): readonly RequestViolation[] {
  if (type.split(' ').some((each) => each !== 'code')) {
    return violation('response_type', 'must be code', 'unsupported_response_type');
  }
  if (grantTypes.includes('authorization_code')) return [];
  return violation('response_type', 'needs the grant type authorization_code of the client');
}

function redirectUriOf(request: Request): string | undefined {
  const isRepeated = request.parameters.getAll('redirect_uri').length > 1;
  return isRepeated ? undefined : valueOf(request, 'redirect_uri');
}

function checkRedirectUriGiven(request: Request): readonly RequestViolation[] {
  if (request.parameters.getAll('redirect_uri').some((each) => each !== '')) return [];
  return violation('redirect_uri', 'is missing');
}

function checkPrompt(request: Request): readonly RequestViolation[] {
  const prompts = promptsOf(request);
  const unknown = prompts.filter((each) => !PROMPTS.includes(each));
  if (unknown.length > 0) return violation('prompt', `has words other than ${either(PROMPTS)}`);
  const isMixed = prompts.includes('none') && new Set(prompts).size > 1;
  return isMixed ? violation('prompt', 'has none beside another word') : [];
}

function checkScopes(request: Request): readonly RequestViolation[] {
  const scope = valueOf(request, 'scope');
  if (scope !== undefined && !SCOPES.test(scope)) {
    return violation('scope', 'must be names with one space between them', 'invalid_scope');
  }
  const { scopes } = request.service.client;
  const refused = grantedScopes(request).filter((each) => !scopes.includes(each));
  if (refused.length === 0) return [];
  const reason = `has ${refused.join(' ')}: the client may ask for ${scopes.join(' ')}`;
  return violation('scope', reason, 'invalid_scope');
}

function grantedScopes(request: Request): readonly string[] {
  const asked = new Set(valueOf(request, 'scope')?.split(' '));
  const mayOutlive =
    promptsOf(request).includes('consent') &&
    request.service.client.grantTypes.includes('refresh_token');
  if (!mayOutlive) asked.delete('offline_access');
  return [...asked].filter((each) => request.knownScopes.includes(each));
}

function checkSomeScope(request: Request): readonly RequestViolation[] {
  if (grantedScopes(request).length > 0) return [];
  return violation('scope', NO_SCOPE, 'invalid_scope');
}

function checkOpenid(request: Request): readonly RequestViolation[] {
  if (valueOf(request, 'scope')?.split(' ').includes('openid')) return [];
  const given = ONLY_WITH_OPENID.filter((name) => valueOf(request, name) !== undefined);
  return given.flatMap((name) => violation(name, 'needs the scope openid'));
}

function checkRedirectUri(request: Request): readonly RequestViolation[] {
  const { client } = request.service;
  const uri = redirectUriOf(request);
  if (uri === undefined || allowsRedirectUri(client, uri)) return [];
  const registered =
    nearestOf(uri, [...client.redirectUris, ...client.redirectUriPatterns]).join(', ') || 'none';
  const reason = `is not registered character by character; registered, the nearest first: ${registered}`;
  return violation('redirect_uri', reason, 'invalid_redirect_uri');
}

/** @see RFC 8252, section 7.3 */
function allowsRedirectUri(
  { redirectUris, redirectUriPatterns, applicationType }: ClientDefinition,
  uri: string,
): boolean {
  if (redirectUris.includes(uri)) return true;
  if (redirectUriPatterns.length > 0) return matchesRedirectPattern(redirectUriPatterns, uri);
  const withoutPort = applicationType === 'native' ? withoutLoopbackPort(uri) : undefined;
  if (withoutPort === undefined) return false;
  return redirectUris.some((each) => withoutLoopbackPort(each) === withoutPort);
}

function withoutLoopbackPort(uri: string): string | undefined {
  const url = URL.parse(uri);
  if (url?.protocol !== 'http:' || !LOOPBACK_HOSTS.includes(url.hostname)) return undefined;
  return uri.replace(/^([^/]*\/\/[^/?#]*?):\d*(?=[/?#]|$)/, '$1');
}

/** Those that begin and end most alike. */
function nearestOf(uri: string, registered: readonly string[]): readonly string[] {
  const likeness = (other: string): number =>
    sharedLength((at) => uri[at] === other[at], uri) +
    sharedLength((at) => uri.at(-1 - at) === other.at(-1 - at), uri);
  return registered.toSorted((one, other) => likeness(other) - likeness(one)).slice(0, NEAREST);
}

function sharedLength(isSame: (at: number) => boolean, { length }: string): number {
  let at = 0;
  while (at < length && isSame(at)) at += 1;
  return at;
}

function checkPkce(request: Request): readonly RequestViolation[] {
  const challenge = valueOf(request, 'code_challenge');
  const method = valueOf(request, 'code_challenge_method');
  if (challenge === undefined) {
    if (method !== undefined) return violation('code_challenge', 'is missing beside its method');
    if (!request.service.client.pkceRequired) return [];
    return violation('code_challenge', 'is missing: this client needs PKCE (pkceRequired)');
  }
  if (method !== 'S256') return violation('code_challenge_method', 'must be S256');
  if (CHALLENGE.test(challenge)) return [];
  return violation('code_challenge', 'must be 43 to 128 letters, digits, and - . _ ~');
}

function checkMaxAge(request: Request): readonly RequestViolation[] {
  const seconds = Number(valueOf(request, 'max_age') ?? 0);
  if (Number.isSafeInteger(seconds) && seconds >= 0) return [];
  return violation('max_age', 'must be a number of seconds');
}

function needsLogin(request: Request): boolean {
  const isNow =
    valueOf(request, 'max_age') !== undefined && Number(valueOf(request, 'max_age')) === 0;
  return !request.service.ssoEnabled || isNow || promptsOf(request).includes('login');
}

function checkNoPage(request: Request): readonly RequestViolation[] {
  if (!promptsOf(request).includes('none')) return [];
  if (needsLogin(request)) {
    return violation('prompt', 'is none, but the user must give credentials', 'login_required');
  }
  if (request.consent !== 'always' || grantedScopes(request).length === 0) return [];
  return violation('prompt', 'is none, but the user must agree', 'consent_required');
}

function either(names: readonly string[]): string {
  return names.join(', ').replace(/, ([^,]*)$/, ' or $1');
}
