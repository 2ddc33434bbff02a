// Whether an authorization request would be accepted, and what its client would be told. Nothing is changed.
import { hasUserName, type Principal, type RegisteredClient, release } from '@tessera/services';
import { RequestError } from '@tessera/server';
import {
  type AskedAuthorization,
  readAuthorization,
  type RequestViolation,
  UNREAD_PARAMETERS,
} from '../../oidc/authorization/authorization-request.js';
import { claimsOf, claimsWithin, scopesOf } from '../../oidc/claims/claims.js';
import { consentRuleFor, type ConsentRule } from '../../oidc/consent/consent-rule.js';
import { APEREO_PATHS } from '../../oidc/paths/apereo-paths.js';
import { ENDPOINTS } from '../../oidc/paths/endpoints.js';
import type { SsoSettings } from '../../settings/sso-settings.js';
import {
  type Judgement,
  judgeState,
  judgeUser,
  type RefusalReason,
  type User,
} from './judgements.js';

type Claims = Readonly<Record<string, unknown>>;

/** What an authorization request is answered. */
export interface Authorization {
  readonly clientId: string | null;
  readonly violations: readonly Omit<RequestViolation, 'error'>[];
  /** Where the browser is sent with the answer; null where it is shown a page. */
  readonly redirectUri: string | null;
  /** @see RFC 6749, section 4.1.2.1 */
  readonly error: string | null;
  /** Those that are granted. */
  readonly scopes: readonly string[];
  readonly login: 'always' | 'without-session';
  /** When the user is asked to agree: with `once`, unless he has agreed before. */
  readonly consent: ConsentRule;
  /** Null for a refused request, without a user, and without the scope `openid`. No pseudonym is shown. */
  readonly claims: { readonly idToken: Claims; readonly userinfo: Claims } | null;
}

export interface AuthorizationTrial {
  readonly judgement: Judgement;
  readonly authorization: Authorization;
}

interface Asking extends User {
  readonly parameters: URLSearchParams;
  /** Undefined for a client that is not registered. */
  readonly service: RegisteredClient | undefined;
  /** The name that is asked for. */
  readonly user: string | undefined;
}

/** Of the application, where the user is refused. At the other reasons he stays at the login page. */
const ERRORS: Readonly<Partial<Record<RefusalReason, string>>> = {
  ATTRIBUTES_MISSING: 'access_denied',
  ATTRIBUTES_REJECTED: 'access_denied',
};

/**
 * The parameters of an authorization request; undefined for another URL.
 *
 * @throws RequestError for a request that is signed or pushed, or names a user by a token
 */
export function authorizationIn(
  url: string,
  { baseUrl }: Pick<SsoSettings, 'baseUrl'>,
): URLSearchParams | undefined {
  const parsed = URL.parse(url);
  if (parsed === null || !isAuthorization(`${parsed.origin}${parsed.pathname}`, baseUrl)) {
    return undefined;
  }
  const unread = UNREAD_PARAMETERS.find((name) => parsed.searchParams.has(name));
  if (unread === undefined) return parsed.searchParams;
  const reason = `the dry run does not read ${unread}: leave it out, and give the other parameters in the address`;
  throw new RequestError('MALFORMED_REQUEST', reason);
}

function isAuthorization(address: string, baseUrl: string): boolean {
  const { authorization } = ENDPOINTS;
  const path = address.startsWith(baseUrl) ? address.slice(baseUrl.length) : '';
  return path === `/oidc${authorization}` || APEREO_PATHS[path] === authorization;
}

export function tryAuthorization(
  asking: Asking,
  settings: Pick<SsoSettings, 'oidc' | 'defaultAttributes'>,
): AuthorizationTrial {
  const { parameters, service } = asking;
  if (service === undefined) return withoutClient(parameters);
  const knownScopes = Object.keys(scopesOf(settings.oidc));
  // `offline_access` is granted only with a prompt that asks already.
  const request = { prompt: parameters.get('prompt'), scopes: [] };
  const consent = consentRuleFor(service.client, request, settings.oidc);
  const asked = readAuthorization({ parameters, service, consent, knownScopes });
  const disabled = judgeState(service);
  const [first] = asked.violations;
  const judgement =
    disabled ?? (first && judgeRequest(asked.violations)) ?? judgeNamed(service, asking, settings);
  const { reason } = judgement;
  const { principal } = asking;
  const error = reason === null ? undefined : ERRORS[reason];
  return {
    judgement,
    authorization: {
      clientId: service.clientId,
      violations: asked.violations.map(({ parameter, reason: why }) => ({
        parameter,
        reason: why,
      })),
      redirectUri: (disabled === undefined && asked.redirectUri) || null,
      error: (disabled ? 'invalid_client' : (errorOf(asked) ?? error)) ?? null,
      scopes: asked.scopes,
      login: asked.needsLogin ? 'always' : 'without-session',
      consent,
      claims:
        reason === null && principal !== undefined
          ? claimsFor(service, principal, asked.scopes, settings)
          : null,
    },
  };
}

/** A client knows a user by the attribute of user names alone. */
function judgeNamed(
  service: RegisteredClient,
  asking: Asking,
  { defaultAttributes }: Pick<SsoSettings, 'defaultAttributes'>,
): Judgement {
  const judgement = judgeUser(service, asking.user, asking);
  const { principal } = asking;
  if (judgement.reason !== null || principal === undefined) return judgement;
  const released = release(service, principal, defaultAttributes);
  if (hasUserName(service, principal, released)) return judgement;
  const detail = `The user has no value of the attribute that is the user name for ${JSON.stringify(service.name)}.`;
  return { reason: 'ATTRIBUTES_MISSING', detail };
}

/** Without a registered redirect URI, the user sees that fault in the place of others. */
function errorOf({ violations, redirectUri }: AskedAuthorization): string | undefined {
  const redirect = violations.find(({ error }) => error === 'invalid_redirect_uri');
  return (redirectUri === undefined ? redirect : undefined)?.error ?? violations[0]?.error;
}

function judgeRequest(violations: readonly RequestViolation[]): Judgement {
  const told = violations.map(({ parameter, reason }) => `${parameter} ${reason}`);
  return { reason: 'REQUEST_INVALID', detail: `${told.join('; ')}.` };
}

function withoutClient(parameters: URLSearchParams): AuthorizationTrial {
  const clientId = parameters.get('client_id') || null;
  const detail =
    clientId === null
      ? 'The parameter client_id is missing.'
      : `No registered service has the client id ${JSON.stringify(clientId)}.`;
  return {
    judgement: { reason: 'CLIENT_NOT_REGISTERED', detail },
    authorization: {
      clientId,
      violations: [],
      redirectUri: null,
      error: clientId === null ? 'invalid_request' : 'invalid_client',
      scopes: [],
      login: 'without-session',
      consent: 'never',
      claims: null,
    },
  };
}

function claimsFor(
  service: RegisteredClient,
  principal: Principal,
  scopes: readonly string[],
  { oidc, defaultAttributes }: Pick<SsoSettings, 'oidc' | 'defaultAttributes'>,
): Authorization['claims'] {
  if (!scopes.includes('openid')) return null;
  const released = release(service, principal, defaultAttributes);
  const sub = service.usernameAttribute.kind === 'anonymous' ? {} : { sub: released.id };
  const userinfo = { ...sub, ...claimsWithin(scopes, claimsOf(service, released, oidc), oidc) };
  return { idToken: service.client.claimsInIdToken ? userinfo : sub, userinfo };
}
