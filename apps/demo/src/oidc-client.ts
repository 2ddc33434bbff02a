// Signs users in and out with openid-client, and verifies logout tokens with jose.
import { createRemoteJWKSet, jwtVerify } from 'jose';
import * as client from 'openid-client';

/** The server knows the application by this name. It is a public client: it has no secret. */
const CLIENT_ID = 'board';
const LOGOUT_EVENT = 'http://schemas.openid.net/event/backchannel-logout';

/** What the answer to an authorization request is checked with. */
export interface PendingSignIn {
  readonly pkceCodeVerifier: string;
  readonly expectedState: string;
  readonly expectedNonce: string;
}

export interface SignedInUser {
  /** The session as the server names it in a logout token. */
  readonly sid: unknown;
  readonly idToken: string;
  readonly claims: client.UserInfoResponse;
}

export class OidcClient {
  #discovered: Promise<client.Configuration> | undefined;

  /** @param url of the application */
  constructor(
    private readonly issuer: string,
    private readonly url: string,
  ) {}

  /** The address to which the browser is sent, and what the answer is checked with. */
  async begin(): Promise<{ readonly address: string; readonly pending: PendingSignIn }> {
    const config = await this.#configuration();
    const pending = {
      pkceCodeVerifier: client.randomPKCECodeVerifier(),
      expectedState: client.randomState(),
      expectedNonce: client.randomNonce(),
    };
    const address = client.buildAuthorizationUrl(config, {
      redirect_uri: `${this.url}/callback`,
      scope: 'openid profile email groups',
      state: pending.expectedState,
      nonce: pending.expectedNonce,
      code_challenge: await client.calculatePKCECodeChallenge(pending.pkceCodeVerifier),
      code_challenge_method: 'S256',
    });
    return { address: address.href, pending };
  }

  /** @param path of the request, with its query. @throws any error of openid-client */
  async finish(path: string, pending: PendingSignIn): Promise<SignedInUser> {
    const config = await this.#configuration();
    const answer = new URL(path, this.url);
    const tokens = await client.authorizationCodeGrant(config, answer, pending);
    const identity = tokens.claims();
    const claims = await client.fetchUserInfo(config, tokens.access_token, identity?.sub ?? '');
    return { sid: identity?.['sid'], idToken: tokens.id_token ?? '', claims };
  }

  /** Where the browser is sent to sign out of all applications. */
  async endSessionUrl(idToken: string): Promise<string> {
    const parameters = {
      id_token_hint: idToken,
      post_logout_redirect_uri: `${this.url}/signed-out`,
    };
    return client.buildEndSessionUrl(await this.#configuration(), parameters).href;
  }

  /** The session that a logout token names. @throws any error of jose @see OpenID Connect Back-Channel Logout 1.0, 2.6 */
  async endedSession(logoutToken: string): Promise<string> {
    const { jwks_uri: keys = '' } = (await this.#configuration()).serverMetadata();
    const { payload } = await jwtVerify(logoutToken, createRemoteJWKSet(new URL(keys)), {
      issuer: this.issuer,
      audience: CLIENT_ID,
      typ: 'logout+jwt',
    });
    const { events, sid, nonce } = payload;
    const isLogout = typeof events === 'object' && events !== null && LOGOUT_EVENT in events;
    if (!isLogout || typeof sid !== 'string' || nonce !== undefined) {
      throw new Error('the token is no logout token');
    }
    return sid;
  }

  /** Read at the first need, and again after a failure: the server may start later. */
  #configuration(): Promise<client.Configuration> {
    const options = this.issuer.startsWith('http:')
      ? // oxlint-disable-next-line typescript/no-deprecated -- the server of the demo has no TLS
        { execute: [client.allowInsecureRequests] }
      : {};
    this.#discovered ??= client
      .discovery(new URL(this.issuer), CLIENT_ID, undefined, client.None(), options)
      .catch((error: unknown) => {
        this.#discovered = undefined;
        throw error;
      });
    return this.#discovered;
  }
}
