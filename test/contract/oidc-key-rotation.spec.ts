// Two nodes behind a balancer without stickiness, while their signing keys are replaced.
import { createPublicKey, type JsonWebKey, verify } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import * as client from 'openid-client';
import { rotateSigningKeys, SigningKeyStore } from '@tessera/signing-keys';
import { Balancer } from '../support/balancer.js';
import { CookieBrowser } from '../support/cookie-browser.js';
import { http } from '../support/http.js';
import { discover, REDIRECT_URI, requestOf, sealing, startOidc } from '../support/oidc-client.js';
import type { Sso } from '../support/sso.js';

const BROWSERS = 4;
/** Milliseconds from the publication of the new keys to their first signature. */
const USABLE_IN = 2_000;

let nodes: readonly [Sso, Sso];
let balancer: Balancer;

beforeAll(async () => {
  const one = await startOidc({
    services: (['RS256', 'ES256'] as const).map((idTokenAlgorithm) => ({
      name: idTokenAlgorithm,
      serviceId: null,
      clientId: idTokenAlgorithm,
      client: {
        redirectUris: [REDIRECT_URI],
        tokenEndpointAuthMethod: 'none',
        scopes: ['openid'],
        idTokenAlgorithm,
      },
    })),
  });
  nodes = [one, await startOidc({ settings: [`--database.url=${one.database.url}`] })];
  balancer = await Balancer.start();
  for (const { url } of nodes) balancer.add(Number(new URL(url).port));
});
afterAll(async () => {
  await balancer.stop();
  for (const each of nodes.toReversed()) await each.close();
});

/** Signs in, and verifies the ID token with keys that a node has now. */
async function idTokenOf(browser: CookieBrowser, clientId: string): Promise<string> {
  const config = await discover(balancer, clientId);
  client.enableNonRepudiationChecks(config);
  const { address, checks } = await requestOf(config, { scope: 'openid' });
  const reply = await browser.open(address);
  const tokens = await client.authorizationCodeGrant(
    config,
    new URL(reply.headers.location ?? ''),
    checks,
  );
  return tokens.id_token ?? '';
}

interface Published {
  readonly keys: readonly (JsonWebKey & { readonly kid: string })[];
}

async function published({ url }: Pick<Sso, 'url'>): Promise<Published['keys']> {
  const { keys } = JSON.parse((await http('GET', url, '/oidc/jwks')).body) as Published;
  return keys;
}

const headerOf = (token: string): { readonly kid: string; readonly alg: string } =>
  JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString('utf8'));

function isSignedBy(token: string, key: JsonWebKey): boolean {
  const [header, payload, signature = ''] = token.split('.');
  const publicKey = createPublicKey({ key, format: 'jwk' });
  const signed = Buffer.from(`${header}.${payload}`);
  const options = { key: publicKey, dsaEncoding: 'ieee-p1363' } as const;
  return verify('sha256', signed, options, Buffer.from(signature, 'base64url'));
}

test('no sign-in fails while keys are replaced, and former tokens stay valid', async () => {
  const tokens: string[] = [];
  const before = (await published(nodes[0])).map(({ kid }) => kid);
  const isDone = (alg: string): boolean =>
    tokens.map(headerOf).some((each) => each.alg === alg && !before.includes(each.kid));
  const signIn = async (_: unknown, index: number): Promise<void> => {
    const browser = new CookieBrowser(balancer.url);
    await browser.signIn();
    const clientId = index % 2 === 0 ? 'RS256' : 'ES256';
    while (!isDone(clientId)) tokens.push(await idTokenOf(browser, clientId));
    // On the other node, too.
    tokens.push(await idTokenOf(browser, clientId));
  };
  const store = new SigningKeyStore(nodes[0].database.dataSource.manager);
  const seal = await sealing();
  const { added } = await store.changing((each) => rotateSigningKeys(each, seal, USABLE_IN));
  await Promise.all(Array.from({ length: BROWSERS }, signIn));

  const ids = new Set(tokens.map((token) => headerOf(token).kid));
  expect([...ids].toSorted()).toEqual([...before, ...added].toSorted());
  for (const node of nodes) {
    const keys = await published(node);
    expect(keys.every((key) => key['d'] === undefined)).toBe(true);
    for (const token of tokens) {
      const key = keys.find(({ kid }) => kid === headerOf(token).kid);
      expect(key !== undefined && isSignedBy(token, key)).toBe(true);
    }
  }
});
