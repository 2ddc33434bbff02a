// What has happened in a request to the library, as an event.
import { errors, type KoaContextWithOIDC } from 'oidc-provider';
import { withoutQuery } from '@tessera/logging';
import { readAuthorization } from '@tessera/server';
import { initialAccessTokenId } from '@tessera/services';
import { ThrottledClient } from '../clients/client-throttle.js';
import type {
  FinalOutcome,
  GrantName,
  OidcEvent,
  OidcOutcome,
  Participants,
} from '../oidc-events.js';

/** What the library has said of a request. */
export type LibraryOutcome = 'granted' | Error;

const AUTHORIZATION_ROUTES = [
  'authorization',
  'resume',
  'pushed_authorization_request',
  'device_authorization',
  'code_verification',
  'device_resume',
];

/** Nobody is refused: a request without a page asks again with one, and a device asks again later. */
const PENDING = [
  'login_required',
  'consent_required',
  'interaction_required',
  'account_selection_required',
  'authorization_pending',
  'slow_down',
];

const GRANT_NAMES: ReadonlyMap<unknown, GrantName> = new Map([
  ['authorization_code', 'authorization_code'],
  ['refresh_token', 'refresh_token'],
  ['client_credentials', 'client_credentials'],
  ['urn:ietf:params:oauth:grant-type:device_code', 'device_code'],
]);

/** An error that the library shows to callers. Others are ours. */
export function isPublic(error: Error): error is errors.OIDCProviderError {
  return error instanceof errors.OIDCProviderError && error.expose;
}

/** Of a client, or of one that registers itself. */
export function provesNothing(
  { oidc }: KoaContextWithOIDC,
  error: Error,
): error is errors.InvalidClientAuth | errors.InvalidToken {
  const isToken = error instanceof errors.InvalidToken && oidc.route === 'registration';
  return isToken || error instanceof errors.InvalidClientAuth;
}

export function eventOf(
  ctx: KoaContextWithOIDC,
  outcome: LibraryOutcome | undefined,
): OidcEvent | undefined {
  const { route, params } = ctx.oidc;
  const who = participantsIn(ctx);
  if (outcome instanceof Error && provesNothing(ctx, outcome)) {
    const { error: reason } = outcome;
    return { type: 'client-refused', outcome: 'refused', reason, client: who.client };
  }
  if (outcome instanceof ThrottledClient) {
    return { type: 'client-refused', outcome: 'throttled', client: who.client };
  }
  if (route === 'revocation') return revocationIn(ctx, who);
  if (outcome === undefined) return undefined;
  if (AUTHORIZATION_ROUTES.includes(route)) {
    const refusedUri = refusedUriIn(ctx, outcome);
    return { type: 'authorization', ...who, ...decisionOf(outcome), refusedUri };
  }
  if (route === 'registration') return registrationIn(ctx, outcome);
  if (route !== 'token') return undefined;
  const grantType = GRANT_NAMES.get(params?.['grant_type']) ?? 'other';
  return { type: 'tokens', ...who, grantType, ...decisionOf(outcome) };
}

function decisionOf(outcome: LibraryOutcome): { outcome: OidcOutcome; reason?: string } {
  const decided = resultOf(outcome);
  const isPending = PENDING.includes(decided.reason ?? '');
  return isPending ? { ...decided, outcome: 'pending' } : decided;
}

function resultOf(outcome: LibraryOutcome): { outcome: FinalOutcome; reason?: string } {
  if (outcome === 'granted') return { outcome };
  return isPublic(outcome) ? { outcome: 'refused', reason: outcome.error } : { outcome: 'failed' };
}

/** The redirect URI that the client may not use, without its query: operators correct the client by it. */
export function refusedUriIn(
  { oidc }: KoaContextWithOIDC,
  outcome: LibraryOutcome,
): string | undefined {
  if (!(outcome instanceof errors.InvalidRedirectUri)) return undefined;
  const uri = textOf(oidc.params?.['redirect_uri']);
  return uri && withoutQuery(uri);
}

/** A token that is unknown, or of another client, ends nothing. */
function revocationIn({ oidc }: KoaContextWithOIDC, who: Participants): OidcEvent | undefined {
  const { AccessToken, RefreshToken, ClientCredentials } = oidc.entities;
  const token = AccessToken ?? RefreshToken ?? ClientCredentials;
  return token !== undefined && token.clientId === oidc.client?.clientId
    ? { type: 'revoked', cause: 'client', ...who }
    : undefined;
}

/** Only with a valid token. */
function registrationIn(
  { oidc }: KoaContextWithOIDC,
  outcome: LibraryOutcome,
): OidcEvent | undefined {
  const { InitialAccessToken: token, Client: client } = oidc.entities;
  if (token === undefined) return undefined;
  const initialAccessToken = initialAccessTokenId(token.jti);
  return {
    type: 'registration',
    initialAccessToken,
    client: client?.clientId,
    ...resultOf(outcome),
  };
}

/** As far as they are known. */
export function participantsIn({ oidc, req }: KoaContextWithOIDC): Participants {
  const { session, entities, client, params } = oidc;
  const { AccessToken, RefreshToken, AuthorizationCode } = entities;
  const user = session ?? AccessToken ?? RefreshToken ?? AuthorizationCode;
  return {
    client: client?.clientId ?? textOf(params?.['client_id']) ?? nameIn(req.headers.authorization),
    principal: user?.accountId,
  };
}

function nameIn(header: string | undefined): string | undefined {
  const authorization = readAuthorization(header);
  return authorization?.scheme === 'basic' ? authorization.name : undefined;
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
