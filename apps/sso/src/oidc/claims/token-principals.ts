// The users that tokens name.
import { Injectable } from '@nestjs/common';
import type { KoaContextWithOIDC } from 'oidc-provider';
import type { Principal } from '@tessera/services';
import { CurrentPrincipals } from '../../authentication/current-principals.js';
import { RequestSessions } from './request-sessions.js';
import { OidcStore } from '../storage/oidc-store.js';

/** The members of a token, or of a code, that lead to its user. */
export interface TokenSource {
  readonly kind?: string | undefined;
  readonly sessionUid?: string | undefined;
  readonly expiresWithSession?: boolean | undefined;
  readonly grantId?: string | undefined;
}

@Injectable()
export class TokenPrincipals {
  constructor(
    private readonly sessions: RequestSessions,
    private readonly principals: CurrentPrincipals,
    private readonly store: OidcStore,
  ) {}

  /**
   * The user of a token, or without one of the browser's session. Of a token that outlives its session, as a login would find
   * him now. A code never does: the user has signed out before the client had anything.
   *
   * @param mayOutlive false for a client that has lost the right to access without a session
   */
  async of(
    { oidc }: KoaContextWithOIDC,
    token: TokenSource | undefined,
    mayOutlive: boolean,
  ): Promise<Principal | undefined> {
    const uid = token === undefined ? oidc.session?.uid : token.sessionUid;
    const session = uid === undefined ? undefined : await this.sessions.find(uid);
    if (session !== undefined) return session.authentication.principal;
    if (!mayOutlive || token?.grantId === undefined || token.expiresWithSession) return undefined;
    if (token.kind === 'AuthorizationCode') return undefined;
    const login = await this.store.authenticationOf(token.grantId);
    return login && this.principals.of(login);
  }
}
