// Requests of clients to end the session of the browser. @see OpenID Connect RP-Initiated Logout 1.0
import { Injectable } from '@nestjs/common';
import type { RegisteredClient } from '@tessera/services';
import { type Form, RequestError } from '@tessera/server';
import type { GrantingTicketHandle } from '@tessera/tickets';
import { handleIn, type Session } from '../../login/browser-session.js';
import { SealingKey } from '../../login/login-key.js';
import { withParameter } from '../../protocol/redirect-url.js';
import { OidcAccounts } from '../claims/accounts.js';
import { OidcProvider } from '../oidc-provider.js';
import { OidcStore } from '../storage/oidc-store.js';

/** With the most characters that they may have. */
const PARAMETERS = {
  id_token_hint: 8_000,
  client_id: 255,
  post_logout_redirect_uri: 2_000,
  state: 2_000,
  ui_locales: 200,
} as const;

type Parameters = Readonly<Partial<Record<keyof typeof PARAMETERS, string>>>;

/** Claims of an ID token. */
interface Hint {
  readonly clientId: string;
  /** By which the client knows the session. */
  readonly sid: unknown;
  readonly sub: unknown;
  readonly auth_time: unknown;
}

/** A request whose parameters fit together. */
export interface EndSessionRequest {
  readonly clientId?: string | undefined;
  readonly hint?: Hint | undefined;
  /** Registered for the client. */
  readonly redirectUri?: string | undefined;
  readonly state?: string | undefined;
}

/** What a user is asked: to end these sessions, and to go on as the request says. */
interface Question {
  readonly asked: EndSessionRequest;
  readonly sessions: readonly GrantingTicketHandle[];
}

@Injectable()
export class EndSessionRequests {
  constructor(
    private readonly provider: OidcProvider,
    private readonly accounts: OidcAccounts,
    private readonly store: OidcStore,
    private readonly key: SealingKey,
  ) {}

  /**
   * Without a client, the URI to go on to is ignored.
   * @throws RequestError MALFORMED_REQUEST for a hint that this server did not sign, a client that is not registered, or a
   *   URI that is not registered for it
   */
  async read(form: Form): Promise<EndSessionRequest> {
    const { id_token_hint: token, client_id: named, state, ...others } = parametersIn(form);
    const hint = token === undefined ? undefined : await this.verified(token);
    if (hint !== undefined && named !== undefined && hint.clientId !== named) {
      throw malformed('client_id is not that of id_token_hint');
    }
    const clientId = hint?.clientId ?? named;
    if (clientId === undefined) return {};
    if (this.clientOf({ clientId }) === undefined) {
      throw malformed('client_id is not that of a registered client');
    }
    const redirectUri = others.post_logout_redirect_uri;
    const asked = { clientId, hint, redirectUri, state };
    if (redirectUri !== undefined && this.nextOf(asked) === undefined) {
      throw malformed('post_logout_redirect_uri is not registered for the client');
    }
    return asked;
  }

  clientOf({ clientId }: EndSessionRequest): RegisteredClient | undefined {
    return clientId === undefined ? undefined : this.accounts.clients.registrationOf(clientId);
  }

  /** Where the browser goes on to, while that is registered. */
  nextOf(asked: EndSessionRequest): string | undefined {
    const { redirectUri, state } = asked;
    const { postLogoutRedirectUris = [] } = this.clientOf(asked)?.client ?? {};
    if (redirectUri === undefined) return undefined;
    if (!postLogoutRedirectUris.includes(redirectUri)) return undefined;
    if (state === undefined) return redirectUri;
    return withParameter(redirectUri, 'state', encodeURIComponent(state));
  }

  /** Whether the hint was issued in this session. */
  async isOf(asked: EndSessionRequest, session: Session): Promise<boolean> {
    const { hint } = asked;
    const registered = this.clientOf(asked);
    if (hint === undefined || registered === undefined) return false;
    const grants = await this.store.grantsOf(handleIn(session));
    const grant = grants.find(({ clientId }) => clientId === hint.clientId);
    if (grant !== undefined) return grant.sid === hint.sid;
    // Some clients revoke their tokens first, and the grant with them: the user and the time of his login are left.
    const { principal, authenticatedAt } = session.authentication;
    return (
      hint.sub === this.accounts.userNameOf(registered, principal) &&
      hint.auth_time === Math.floor(authenticatedAt.getTime() / 1_000)
    );
  }

  /** For a form. */
  seal(asked: EndSessionRequest, sessions: readonly Session[]): Promise<string> {
    const question: Question = { asked, sessions: sessions.map(handleIn) };
    return this.key.seal('end-session', question);
  }

  /** @throws RequestError MALFORMED_REQUEST for a text that is not from this server */
  async open(text: string | undefined): Promise<Question> {
    const question = text === undefined ? undefined : await this.key.open('end-session', text);
    if (question === undefined) throw malformed('the form is not from this server');
    return question as Question;
  }

  /** Whether the user has been asked about all of these. */
  hasAskedFor({ sessions: known }: Question, sessions: readonly Session[]): boolean {
    return sessions.every((each) => known.includes(handleIn(each)));
  }

  /** An ID token of this server, which may have expired. */
  private async verified(token: string): Promise<Hint> {
    const { Client, IdToken } = this.provider.current;
    try {
      const clientId = audienceOf(token);
      const client = await Client.find(clientId);
      if (client === undefined) throw new Error('its client is not registered');
      const { header, payload } = await IdToken.validate(token, client);
      // A logout token has the same signature.
      if (header['typ'] !== undefined) throw new Error('it is no ID token');
      const { sid, sub, auth_time } = payload;
      return { clientId, sid, sub, auth_time };
    } catch {
      throw malformed('id_token_hint is not an ID token of this server for a registered client');
    }
  }
}

/**
 * The parameters of the protocol. One without a value counts as missing. @see RFC 6749, section 3.1
 * @throws RequestError MALFORMED_REQUEST
 */
export function parametersIn(form: Form): Parameters {
  const given = Object.entries(PARAMETERS).map(([name, length]) => [name, form.line(name, length)]);
  return Object.fromEntries(given.filter(([, value]) => value)) as Parameters;
}

/** Before its signature is verified. @throws any error for another text than a token with one audience */
function audienceOf(token: string): string {
  const [, payload = ''] = token.split('.');
  const { aud } = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8')) as {
    readonly aud: unknown;
  };
  if (typeof aud !== 'string') throw new Error('it has no single audience');
  return aud;
}

function malformed(message: string): RequestError {
  return new RequestError('MALFORMED_REQUEST', message);
}
