// Single logout of OpenID Connect clients.
// @see OpenID Connect Back-Channel Logout 1.0, OpenID Connect Front-Channel Logout 1.0
import { Injectable } from '@nestjs/common';
import type { Provider } from 'oidc-provider';
import { isEnabled, type RegisteredService, release, ServiceRegistry } from '@tessera/services';
import type { LogoutMessage, SessionService } from '@tessera/tickets';
import { frontChannelCall } from '../../logout/front-channel-call.js';
import {
  type LogoutForm,
  type LogoutProtocol,
  LogoutProtocols,
  type LogoutTarget,
} from '../../logout/logout-protocols.js';
import { logoutUrlsFor } from '../clients/clients.js';
import { OidcProvider } from '../oidc-provider.js';
import { OidcStore } from '../storage/oidc-store.js';

const LOGOUT_EVENT = 'http://schemas.openid.net/event/backchannel-logout';

type LibraryClient = InstanceType<Provider['Client']>;

@Injectable()
export class OidcLogout implements LogoutProtocol {
  constructor(
    protocols: LogoutProtocols,
    private readonly services: ServiceRegistry,
    private readonly provider: OidcProvider,
    private readonly store: OidcStore,
  ) {
    protocols.register('oidc', this);
  }

  /** Also of a disabled client: its users are still signed in there. */
  targetsOf({ application }: LogoutMessage): readonly LogoutTarget[] {
    const service = this.services.findByClientId(application);
    if (service?.logoutType !== 'back') return [];
    return logoutUrlsFor(service).map((url) => ({ service, url }));
  }

  /** Signed by the key of now: the message may wait for longer than its first token is valid. */
  async formOf(message: LogoutMessage, service: RegisteredService): Promise<LogoutForm> {
    const { current: provider } = this.provider;
    const token = new provider.IdToken({}, { client: signingFor(provider, message, service) });
    const subject = subjectOf(service, message.principal);
    if (subject !== undefined) token.set('sub', subject);
    token.set('sid', message.sessionIndex);
    token.set('jti', message.id);
    token.set('events', { [LOGOUT_EVENT]: {} });
    return { logout_token: await token.issue({ use: 'logout' }) };
  }

  /** A redirect is no success. @see OpenID Connect Back-Channel Logout 1.0, section 2.8 */
  accepts(status: number): boolean {
    return status >= 200 && status < 300;
  }

  frontChannelCalls(
    _principal: string,
    { application, sessionIndexes }: SessionService,
  ): readonly string[] {
    const service = this.services.findByClientId(application);
    if (service?.logoutType !== 'front' || !isEnabled(service, Date.now())) return [];
    const { issuer: iss } = this.provider;
    return logoutUrlsFor(service).flatMap((url) =>
      sessionIndexes.flatMap((sid) => frontChannelCall(url, { iss, sid })),
    );
  }

  endGrants(principal: string): Promise<number> {
    return this.store.endGrantsOf(principal);
  }
}

/** A client of the library with all that it needs for a signature: that of the registration may be disabled. */
function signingFor(
  { Client }: Provider,
  { application }: LogoutMessage,
  { client }: RegisteredService,
): LibraryClient {
  // The types hide the constructor.
  const Signing = Client as unknown as new (metadata: object) => LibraryClient;
  return new Signing({
    client_id: application,
    token_endpoint_auth_method: 'none',
    redirect_uris: [],
    response_types: [],
    grant_types: [],
    id_token_signed_response_alg: client?.idTokenAlgorithm,
  });
}

/** Undefined where it is from an attribute: those of the session have gone with it, and `sid` is enough. */
function subjectOf(service: RegisteredService, principal: string): string | undefined {
  if (service.usernameAttribute.kind === 'attribute') return undefined;
  return release(service, { id: principal, attributes: {} }).id;
}
