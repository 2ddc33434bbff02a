// A client of a service file of Apereo CAS: its redirect URIs by pattern, its secret, its scopes.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import * as client from 'openid-client';
import { CookieBrowser } from '../support/cookie-browser.js';
import { discover, requestOf, startOidc } from '../support/oidc-client.js';
import type { Sso } from '../support/sso.js';

const FILE = {
  '@class': 'org.apereo.cas.services.OidcRegisteredService',
  serviceId: String.raw`^https://(app|b)\.example\.org/(cb|apps/[a-z]+/cb.*)$`,
  name: 'App',
  id: 1,
  clientId: 'app',
  clientSecret: 'of the old server',
  bypassApprovalPrompt: true,
  scopes: ['java.util.HashSet', ['openid', 'email', 'no-such-scope']],
};
const APP = 'https://app.example.org';

let directory: string;
let sso: Sso;
let browser: CookieBrowser;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'tessera-clients-'));
  await writeFile(join(directory, 'app-1.json'), JSON.stringify(FILE));
  sso = await startOidc({ settings: [`--sso.services.import=${directory}`] });
});
beforeEach(() => {
  browser = new CookieBrowser(sso.url);
});
afterAll(async () => {
  await sso.close();
  await rm(directory, { recursive: true });
});

describe('a redirect URI is accepted', () => {
  test.each([
    `${APP}/cb`,
    'https://b.example.org/cb',
    `${APP}/apps/wiki/cb`,
    'https://b.example.org/apps/wiki/cb/next',
  ])('%s', async (redirectUri) => {
    const config = await discover(sso, 'app', FILE.clientSecret);
    const { address, checks } = await requestOf(config, {
      redirect_uri: redirectUri,
      scope: 'openid email',
    });
    const reply = await browser.logIn(await browser.open(address));
    const location = new URL(reply.headers.location ?? '');
    const { origin, pathname } = new URL(redirectUri);
    expect(location).toMatchObject({ origin, pathname });
    const tokens = await client.authorizationCodeGrant(config, location, checks, {
      redirect_uri: redirectUri,
    });
    expect(tokens.claims()).toMatchObject({ sub: 'casuser', email: 'casuser@example.org' });
  });
});

// Each is a known way to get codes to another host. @see RFC 9700, section 4.1
describe('a redirect URI is refused', () => {
  test.each([
    `${APP}/`,
    `${APP}/other`,
    'https://evil.example/cb',
    'https://evil.example/apps/wiki/cb',
    'https://app.example.org.evil.example/apps/wiki/cb',
    'https://app.example.org@evil.example/apps/wiki/cb',
    String.raw`https://app.example.org\@evil.example/apps/wiki/cb`,
    String.raw`https://evil.example\app.example.org/apps/wiki/cb`,
    'https://app.example.org%2f@evil.example/apps/wiki/cb',
    'https://app.example.org%2eevil.example/apps/wiki/cb',
    'https://appxexample.org/cb',
    'https://app.example.org:8443/apps/wiki/cb',
    'http://app.example.org/apps/wiki/cb',
    'HTTPS://APP.example.org/apps/wiki/cb',
    `${APP}/apps/wiki/cb/../../../x`,
    `${APP}/apps/wiki/cb%2e%2e/x`,
    `${APP}/apps/wiki/cb#x`,
    `${APP}/apps/wiki/cb\t`,
    `${APP}/apps/WIKI/cb`,
    'javascript:alert(1)//https://app.example.org/cb',
  ])('%s', async (redirectUri) => {
    const config = await discover(sso, 'app', FILE.clientSecret);
    const { address } = await requestOf(config, { redirect_uri: redirectUri });
    const reply = await browser.send('GET', address);
    expect({ status: reply.status, location: reply.headers.location }).toEqual({
      status: 400,
      location: undefined,
    });
  });
});

test('another secret is refused', async () => {
  const config = await discover(sso, 'app', 'of nobody');
  const { address, checks } = await requestOf(config, {
    redirect_uri: `${APP}/cb`,
    scope: 'openid email',
  });
  const reply = await browser.logIn(await browser.open(address));
  const location = new URL(reply.headers.location ?? '');
  await expect(client.authorizationCodeGrant(config, location, checks)).rejects.toMatchObject({
    error: 'invalid_client',
  });
});
