// What a session grants to a client. There is one grant of both: a second authorization must not end tokens of the first.
import { Inject, Injectable } from '@nestjs/common';
import { errors, type Grant, type KoaContextWithOIDC } from 'oidc-provider';
import { isAuthorised, type RegisteredClient } from '@tessera/services';
import type { SessionDetails } from '@tessera/tickets';
import { ssoConfig } from '../../settings/namespaces.js';
import type { SsoSettings } from '../../settings/sso-settings.js';
import { RequestSessions } from '../claims/request-sessions.js';
import { Clients, logoutUrlsFor } from '../clients/clients.js';
import { consentRuleFor } from '../consent/consent-rule.js';
import { grantPayload } from './grant-adapter.js';
import { OidcStore } from './oidc-store.js';

@Injectable()
export class Grants {
  constructor(
    private readonly clients: Clients,
    private readonly sessions: RequestSessions,
    private readonly store: OidcStore,
    @Inject(ssoConfig.KEY) private readonly settings: SsoSettings,
  ) {}

  /**
   * The grant of the session to the client of an authorization request. Undefined where the user may not use the client, or
   * has not allowed all that it asks for: the policy then refuses the request, or asks the user.
   *
   * @throws LoginRequired where the session has just ended
   */
  async load({ oidc }: KoaContextWithOIDC): Promise<Grant | undefined> {
    const { session, client, provider } = oidc;
    const registered = client && this.clients.registrationOf(client.clientId);
    if (session?.accountId === undefined || registered === undefined) return undefined;
    const found = await this.sessions.find(session.uid);
    if (found === undefined) throw sessionEnded();
    if (!isAuthorised(registered, found.authentication.principal, Date.now())) return undefined;
    const scopes = [...oidc.requestParamOIDCScopes];
    const asking = { prompt: oidc.params?.['prompt'], scopes };
    const rule = consentRuleFor(registered.client, asking, this.settings.oidc);
    if (rule === 'always' && oidc.result?.consent === undefined) return undefined;
    const stored = await this.store.openGrant({
      session: found.handle,
      clientId: registered.clientId,
      authentication: found.authentication,
      scopes,
      expiresIn: this.clients.tokenLifetime(registered.clientId),
      allowedTo: rule === 'never' ? undefined : registered.id,
    });
    if (stored === undefined) return undefined;
    await this.record(registered, found, stored.sid);
    session.sidFor(registered.clientId, stored.sid);
    return new provider.Grant(grantPayload(stored, registered.client.scopes));
  }

  /** Whether clients get logout messages. */
  get singleLogout(): boolean {
    return this.settings.singleLogout;
  }

  /** Records the client for its logout message, if it has a logout URL. Counts as a use of the session. */
  private async record(
    client: RegisteredClient,
    { handle }: SessionDetails,
    sid: string,
  ): Promise<void> {
    const isTold = this.singleLogout && logoutUrlsFor(client).length > 0;
    const { clientId: application } = client;
    const signIn = { protocol: 'oidc', application, sessionIndex: sid } as const;
    const isLive = await this.sessions.use(handle, isTold ? signIn : undefined);
    if (!isLive) throw sessionEnded();
  }
}

function sessionEnded(): Error {
  return new errors.LoginRequired('the session has ended');
}
