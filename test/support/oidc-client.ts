// An OpenID Connect client (openid-client) of the SSO application under test.
import * as client from 'openid-client';
import { newKeyFile, parseEnvelopeKey } from '@tessera/crypto';
import { type KeySealing, openKeySealing } from '@tessera/signing-keys';
import { ClientSecrets, type NewClient, type NewService, ServiceRegistry } from '@tessera/services';
import type { CookieBrowser } from './cookie-browser.js';
import { http, type Reply } from './http.js';
import { BASE_URL, startSso, type Sso, type SsoOptions } from './sso.js';

export const ISSUER = `${BASE_URL}/oidc`;
export const REDIRECT_URI = 'https://client.example.org/callback';

const SEALING_KEY = newKeyFile('test').trim();

/** A second user, besides `casuser`, of a server with {@link TWO_USERS}. */
export const BOB = { username: 'bob', password: 'Builder' };
export const TWO_USERS = '--sso.authentication.static.users=casuser::Mellon,bob::Builder';

export const OIDC_SETTINGS = [
  '--sso.modules=login,oidc,rest',
  `--sso.oidc.sealing-keys=${SEALING_KEY}`,
];

export function startOidc({ settings = [], ...options }: SsoOptions = {}): Promise<Sso> {
  return startSso({ ...options, settings: [...OIDC_SETTINGS, ...settings] });
}

/** The sealing of the signing keys, as the application has it. */
export function sealing(): Promise<KeySealing> {
  return openKeySealing({ sealingKeys: [parseEnvelopeKey(SEALING_KEY)!], generatesKey: false });
}

/** A registered client, public unless its definition says otherwise. */
export function oidcClient(
  clientId: string,
  definition: NewClient = {},
  service: Partial<NewService> = {},
): NewService {
  return {
    name: clientId,
    serviceId: null,
    clientId,
    client: {
      redirectUris: [REDIRECT_URI],
      tokenEndpointAuthMethod: 'none',
      scopes: ['openid', 'profile', 'email'],
      ...definition,
    },
    ...service,
  };
}

/** Calls of the base URL reach the server under test. */
export function fetchFrom({ url }: Pick<Sso, 'url'>): client.CustomFetch {
  return async (address, { method, headers, body }) => {
    const { pathname, search } = new URL(address);
    const reply = await http(method, new URL(url).origin, `${pathname}${search}`, {
      headers,
      ...(body && { body: String(body) }),
    });
    const entries = Object.entries(reply.headers).map(([name, value]) => [name, String(value)]);
    return new Response(reply.status === 204 ? null : reply.body, {
      status: reply.status,
      headers: entries as [string, string][],
    });
  };
}

export function discover(
  sso: Pick<Sso, 'url'>,
  clientId: string,
  secret?: string,
  authentication?: client.ClientAuth,
): Promise<client.Configuration> {
  return client.discovery(new URL(ISSUER), clientId, secret, authentication, {
    [client.customFetch]: fetchFrom(sso),
  });
}

/** A new secret of a client. */
export async function newSecret(
  { application }: Pick<Sso, 'application'>,
  clientId: string,
): Promise<string> {
  const { id = '' } =
    application.get(ServiceRegistry, { strict: false }).findByClientId(clientId) ?? {};
  return (await application.get(ClientSecrets, { strict: false }).add(id)).secret;
}

/** What the browser takes to the application. */
interface AuthorizationAnswer {
  readonly code?: string;
  readonly state?: string;
  readonly iss?: string;
  readonly error?: string;
  readonly error_description?: string;
}

export function answerIn({ status, headers, body }: Reply): AuthorizationAnswer {
  if (headers.location === undefined) throw new Error(`${status}, no redirect: ${body}`);
  return Object.fromEntries(new URL(headers.location).searchParams);
}

/** The tokens of a request, which the browser's session answers. */
export async function tokensOf(
  config: client.Configuration,
  browser: CookieBrowser,
  parameters?: Readonly<Record<string, string>>,
  options?: client.AuthorizationCodeGrantOptions,
): Promise<client.TokenEndpointResponse & client.TokenEndpointResponseHelpers> {
  const { address, checks } = await requestOf(config, parameters);
  const { headers } = await browser.open(address);
  const answer = new URL(headers.location ?? '');
  return client.authorizationCodeGrant(config, answer, checks, undefined, options);
}

/** An authorization request, and what its answer is checked with. */
export interface Request {
  readonly address: string;
  readonly checks: client.AuthorizationCodeGrantChecks;
}

export async function requestOf(
  config: client.Configuration,
  parameters: Readonly<Record<string, string>> = {},
): Promise<Request> {
  const verifier = client.randomPKCECodeVerifier();
  const state = client.randomState();
  const nonce = client.randomNonce();
  const address = client.buildAuthorizationUrl(config, {
    redirect_uri: REDIRECT_URI,
    scope: 'openid profile email',
    state,
    nonce,
    code_challenge: await client.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    ...parameters,
  });
  const checks = {
    pkceCodeVerifier: verifier,
    expectedState: state,
    ...(parameters['scope']?.includes('openid') !== false && { expectedNonce: nonce }),
  };
  return { address: address.href, checks };
}
