// A browser whose user is asked for consent by clients of OpenID Connect.
import { expect } from '@jest/globals';
import * as client from 'openid-client';
import { poolOf } from '@tessera/database';
import type { NewClient, NewService } from '@tessera/services';
import { CookieBrowser } from './cookie-browser.js';
import type { Reply } from './http.js';
import {
  discover,
  REDIRECT_URI,
  type Request,
  requestOf,
  startOidc,
  TWO_USERS,
} from './oidc-client.js';
import type { Sso } from './sso.js';

export type Fields = Readonly<Record<string, string>>;

/** The scopes of a request without others, as the page words them. */
export const STANDARD = [
  'Who you are: your user name, or a pseudonym',
  'Your profile, such as your name',
  'Your email address',
];

export const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code';

const clientOf = (clientId: string, consent: NewClient['consent'] = null): NewService => ({
  name: `Client ${clientId}`,
  serviceId: null,
  clientId,
  attributeRelease: { kind: 'all' },
  logoutType: 'front',
  logoutUrl: 'https://client.example.org/logout',
  client: {
    redirectUris: [REDIRECT_URI],
    tokenEndpointAuthMethod: 'none',
    grantTypes: ['authorization_code', 'refresh_token', DEVICE_GRANT],
    scopes: ['openid', 'profile', 'email', 'phone', 'address', 'groups', 'staff', 'offline_access'],
    consent,
  },
});

/** With clients that are named as their rules, one with that of the setting, and users casuser and bob. */
export function startConsents(services: readonly NewService[] = []): Promise<Sso> {
  return startOidc({
    settings: [TWO_USERS, '--sso.oidc.scopes={"groups":["groups"],"staff":["department"]}'],
    services: [
      clientOf('always', 'always'),
      clientOf('once', 'once'),
      clientOf('never', 'never'),
      clientOf('default'),
      ...services,
    ],
  });
}

export class ConsentBrowser extends CookieBrowser {
  constructor(private readonly sso: Sso) {
    super(sso.url);
  }

  /** Opens an authorization request, and logs in where the browser is asked to. */
  async request(
    clientId: string,
    parameters: Fields = {},
    credentials?: Fields,
  ): Promise<{ readonly reply: Reply; readonly request: Request }> {
    const request = await requestOf(await discover(this.sso, clientId), parameters);
    const reply = await this.open(request.address);
    const isLogin = reply.body.includes('name="password"');
    return { reply: isLogin ? await this.logIn(reply, credentials) : reply, request };
  }

  allow(page: Reply): Promise<Reply> {
    return this.logIn(page, { _eventId: 'allow' });
  }

  deny(page: Reply): Promise<Reply> {
    return this.logIn(page, { _eventId: 'deny' });
  }

  /** Allows what the client asks for. */
  async tokens(clientId: string, parameters: Fields = {}): Promise<client.TokenEndpointResponse> {
    const { reply, request } = await this.request(clientId, parameters);
    const isAsked = askedIn(reply) !== undefined;
    return this.redeem(clientId, isAsked ? await this.allow(reply) : reply, request);
  }

  async redeem(
    clientId: string,
    reply: Reply,
    { checks }: Request,
  ): Promise<client.TokenEndpointResponse> {
    answerIn(reply);
    const url = new URL(reply.headers.location ?? '');
    return client.authorizationCodeGrant(await discover(this.sso, clientId), url, checks);
  }
}

/** The scopes in words that a page asks for; undefined for another answer. */
export function askedIn({ status, body }: Reply): readonly string[] | undefined {
  if (!body.includes('<h1>Allow access?</h1>')) return undefined;
  expect(status).toBe(200);
  return [...body.matchAll(/<li>([^<]*)<\/li>/g)].map(([, text = '']) => text.trim());
}

/** The parameters with which the browser comes back to the application. */
export function answerIn({ status, headers }: Reply): URLSearchParams {
  const url = new URL(headers.location ?? '');
  expect([status, url.origin + url.pathname]).toEqual([303, REDIRECT_URI]);
  return url.searchParams;
}

export function scopesIn({ scope = '' }: client.TokenEndpointResponse): readonly string[] {
  return scope.split(' ').toSorted();
}

export async function rowsOf(sso: Sso, statement: string): Promise<readonly object[]> {
  return (await poolOf(sso.database.dataSource).query<object>(statement)).rows;
}

/** Forgets consents, grants and sessions. */
export async function clearConsents(sso: Sso): Promise<void> {
  for (const table of ['oidc_consent', 'oidc_grant', 'ticket_granting_ticket']) {
    await rowsOf(sso, `delete from ${table}`);
  }
}
