// Parts of sign-ins of OpenID Connect clients, for specs that look at what happens around them.
import * as client from 'openid-client';
import { ClientSecrets, type NewService, ServiceRegistry } from '@tessera/services';
import type { CookieBrowser } from './cookie-browser.js';
import { http, type Reply } from './http.js';
import { REDIRECT_URI, requestOf } from './oidc-client.js';
import type { Sso } from './sso.js';

type NewClient = NonNullable<NewService['client']>;

/** A client for `startOidc`, which has no part in CAS. */
export function clientNamed(
  clientId: string,
  definition: Partial<NewClient> = {},
  service: Partial<NewService> = {},
): NewService {
  return {
    name: clientId,
    serviceId: null,
    clientId,
    attributeRelease: { kind: 'all' },
    ...service,
    client: {
      redirectUris: [REDIRECT_URI],
      tokenEndpointAuthMethod: 'none',
      grantTypes: ['authorization_code', 'refresh_token'],
      scopes: ['openid', 'profile', 'email', 'offline_access'],
      ...definition,
    },
  };
}

export const CONFIDENTIAL: Partial<NewClient> = {
  tokenEndpointAuthMethod: 'client_secret_basic',
  grantTypes: ['authorization_code', 'refresh_token', 'client_credentials'],
};

/** A new random secret of a client. */
export async function secretOf({ application }: Sso, clientId: string): Promise<string> {
  const secrets = application.get(ClientSecrets, { strict: false });
  const id = application.get(ServiceRegistry).findByClientId(clientId)?.id ?? '';
  return (await secrets.add(id)).secret;
}

/** An answer to an authorization request, in a browser with a session. */
export interface Answered {
  readonly url: URL;
  readonly checks: client.AuthorizationCodeGrantChecks;
}

export async function authorize(
  config: client.Configuration,
  browser: CookieBrowser,
  parameters: Readonly<Record<string, string>> = {},
): Promise<Answered> {
  const { address, checks } = await requestOf(config, parameters);
  const { headers, body } = await browser.open(address);
  if (headers.location === undefined) throw new Error(`no redirect to the client: ${body}`);
  return { url: new URL(headers.location), checks };
}

export function redeem(
  config: client.Configuration,
  { url, checks }: Answered,
): Promise<client.TokenEndpointResponse> {
  return client.authorizationCodeGrant(config, url, checks);
}

/** A call of an endpoint below the issuer. */
export function post(
  { url }: Pick<Sso, 'url'>,
  path: string,
  form: Readonly<Record<string, string>>,
  { localAddress = '127.0.0.1', basic }: { localAddress?: string; basic?: readonly string[] } = {},
): Promise<Reply> {
  const credentials = Buffer.from(basic?.join(':') ?? '').toString('base64');
  return http('POST', url, `/oidc${path}`, {
    form,
    localAddress,
    ...(basic && { headers: { authorization: `Basic ${credentials}` } }),
  });
}
