// Whatever a request names, browsers are sent to registered redirect URIs alone. @see RFC 9700, section 4.1
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { anyText } from '../support/any-text.js';
import { http, type Reply } from '../support/http.js';
import { oidcClient, startOidc } from '../support/oidc-client.js';
import type { Sso } from '../support/sso.js';

const WEB = ['https://client.example.org/callback', 'https://client.example.org/?a=b&c='];
const NATIVE = [
  'http://127.0.0.1/callback',
  'http://[::1]:8080/callback',
  'com.example.app:/callback',
  'https://app.example.org/callback',
];

/** Of the registered loopback URIs, with any port. @see RFC 8252, section 7.3 */
const LOOPBACK = /^http:\/\/(127\.0\.0\.1|\[::1\])(:\d*)?\/callback$/;

const isRegistered = (clientId: string, uri: string): boolean =>
  clientId === 'web'
    ? WEB.includes(uri)
    : NATIVE.includes(uri) || (LOOPBACK.test(uri) && URL.canParse(uri));

let sso: Sso;

beforeAll(async () => {
  sso = await startOidc({
    services: [
      oidcClient('web', { redirectUris: WEB }),
      oidcClient('wild', {
        redirectUris: [],
        redirectUriPatterns: ['https://wild\\.example\\.org/app/.*'],
      }),
      oidcClient('native', { redirectUris: NATIVE, applicationType: 'native' }),
    ],
  });
});
afterAll(() => sso.close());

/** The answer without a session is an error, at the redirect URI. */
function request(clientId: string, uri?: string): Promise<Reply> {
  const query = new URLSearchParams({
    client_id: clientId,
    ...(uri !== undefined && { redirect_uri: uri }),
    response_type: 'code',
    scope: 'openid',
    code_challenge: 'x'.repeat(43),
    code_challenge_method: 'S256',
    prompt: 'none',
  });
  return http('GET', sso.url, `/oidc/authorize?${query.toString()}`);
}

/** Parts of URIs that parsers read in different ways. */
const PARTS = [
  '@ : / // \\ ? # . .. %2e%2e/ %2f %5c %00 % & ; , * x CALLBACK evil.example @evil.example .evil.example',
  ':8080 :080 :99999 :80@evil [::1] 127.1 127.0.0.1 localhost https:// javascript: \u3002 \uff0f \u2100',
].flatMap((each) => each.split(' '));
const SPACES = [' ', '\t', '\n', '\r\n', '\0', '\ud800'];

const OF_PATTERN = 'https://wild.example.org/app/callback';
const KNOWN = [...WEB, ...NATIVE, OF_PATTERN];

/** A known URI, of which one place is another. */
const spoilt = fc
  .record({
    uri: fc.constantFrom(...KNOWN),
    part: fc.oneof(fc.constantFrom(...PARTS, ...SPACES), anyText({ maxLength: 5 })),
    at: fc.nat(50),
    removed: fc.nat(3),
  })
  .map(({ uri, part, at, removed }) => uri.slice(0, at) + part + uri.slice(at + removed));

const candidate = fc.oneof(spoilt, fc.constantFrom(...KNOWN), fc.webUrl());

describe.each(['web', 'native'])('a browser at the client %s', (clientId) => {
  test('is sent to a registered URI, and gets a page for any other', async () => {
    await fc.assert(
      fc.asyncProperty(candidate, async (uri) => {
        const { status, headers } = await request(clientId, uri);
        // As the server reads it: half a surrogate pair is no character.
        if (!isRegistered(clientId, uri.toWellFormed())) {
          expect([status, headers.location]).toEqual([400, undefined]);
          return;
        }
        const sent = new URL(headers.location ?? '');
        expect([status, sent.searchParams.get('error')]).toEqual([303, 'login_required']);
        for (const name of ['error', 'error_description', 'iss']) sent.searchParams.delete(name);
        expect(sent.href.replace(/[?=&]*$/, '')).toBe(new URL(uri).href.replace(/[?=&]*$/, ''));
      }),
      { numRuns: 200 },
    );
  });
});

describe('a browser at a client with a pattern', () => {
  test('is sent to paths of the pattern at its host, and gets a page for any other', async () => {
    await fc.assert(
      fc.asyncProperty(candidate, async (uri) => {
        const { status, headers } = await request('wild', uri);
        if (uri === OF_PATTERN) expect(status).toBe(303);
        if (status === 400) {
          expect(headers.location).toBeUndefined();
          return;
        }
        const { origin, pathname } = new URL(headers.location ?? '');
        expect([status, origin]).toEqual([303, 'https://wild.example.org']);
        expect(pathname).toMatch(/^\/app\//);
      }),
      { numRuns: 200 },
    );
  });

  test('is not sent to its host for a request without a URI', async () => {
    expect((await request('wild')).status).toBe(400);
  });
});
