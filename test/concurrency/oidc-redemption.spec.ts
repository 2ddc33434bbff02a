// What an OpenID Connect client may redeem once is redeemed many times at once, by two processes on one database.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { RegisteredServiceEntity, ServiceStore } from '@tessera/services';
import { CookieBrowser } from '../support/cookie-browser.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { allowCode } from '../support/device-sign-in.js';
import { http, type Reply } from '../support/http.js';
import { OIDC_SETTINGS, REDIRECT_URI } from '../support/oidc-client.js';
import { endPrograms } from '../support/process.js';
import { BASE_URL } from '../support/sso.js';
import { startNode, type SsoNode } from '../support/sso-node.js';

const AT_ONCE = 100;
const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code';
const SETTINGS = [...OIDC_SETTINGS, `--sso.base-url=${BASE_URL}`];
/** @see RFC 7636, appendix B */
const VERIFIER = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';
const CHALLENGE = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';
const REQUEST = {
  client_id: 'web',
  response_type: 'code',
  redirect_uri: REDIRECT_URI,
  scope: 'openid',
  code_challenge: CHALLENGE,
  code_challenge_method: 'S256',
};

let database: TestDatabase;
let nodes: readonly [SsoNode, SsoNode];
let browser: CookieBrowser;

const urlOf = ({ port }: SsoNode): string => `http://127.0.0.1:${port}/cas`;
const start = (): Promise<SsoNode> => startNode(database.url, SETTINGS);

beforeAll(async () => {
  database = await createTestDatabase({ entities: [RegisteredServiceEntity] });
  await ServiceStore.of(database.dataSource).add({
    name: 'Web',
    serviceId: null,
    clientId: 'web',
    client: {
      redirectUris: [REDIRECT_URI],
      tokenEndpointAuthMethod: 'none',
      grantTypes: ['authorization_code', 'refresh_token', DEVICE_GRANT],
      scopes: ['openid'],
    },
  });
  nodes = [await start(), await start()];
  browser = new CookieBrowser(urlOf(nodes[0]));
  await browser.signIn();
});
afterAll(async () => {
  await endPrograms();
  await database.drop();
});

async function newCode(parameters: Readonly<Record<string, string>> = REQUEST): Promise<string> {
  const query = new URLSearchParams(parameters).toString();
  const { headers } = await browser.open(`${BASE_URL}/oidc/authorize?${query}`);
  return new URL(headers.location ?? '').searchParams.get('code') ?? '';
}

type Form = Readonly<Record<string, string>>;

const post = (node: SsoNode, path: string, form: Form): Promise<Reply> =>
  http('POST', urlOf(node), path, { form: { client_id: 'web', ...form } });

const redeemCode = (node: SsoNode, code: string): Promise<Reply> =>
  post(node, '/oidc/token', {
    grant_type: 'authorization_code',
    redirect_uri: REDIRECT_URI,
    code_verifier: VERIFIER,
    code,
  });

const refresh = (node: SsoNode, token: string): Promise<Reply> =>
  post(node, '/oidc/token', { grant_type: 'refresh_token', refresh_token: token });

const tokensIn = ({ body }: Reply): { access_token: string; refresh_token: string } =>
  JSON.parse(body) as { access_token: string; refresh_token: string };

/** On both nodes in turn. */
const everywhere = (redeem: (node: SsoNode) => Promise<Reply>): Promise<readonly Reply[]> =>
  Promise.all(Array.from({ length: AT_ONCE }, (_, turn) => redeem(nodes[turn % 2] ?? nodes[0])));

const userinfo = async ({ access_token: token }: { readonly access_token: string }) => {
  const headers = { authorization: `Bearer ${token}` };
  return (await http('GET', urlOf(nodes[1]), '/oidc/userinfo', { headers })).status;
};

describe('of a hundred at once on two nodes, one succeeds, and the grant is revoked, for', () => {
  test('a code', async () => {
    const code = await newCode();
    const replies = await everywhere((node) => redeemCode(node, code));
    await expectOneOf(replies);
  });

  test('a refresh token', async () => {
    const first = tokensIn(await redeemCode(nodes[0], await newCode()));
    const replies = await everywhere((node) => refresh(node, first.refresh_token));
    await expectOneOf(replies);
    expect(await userinfo(first)).toBe(401);
  });

  test('a device code', async () => {
    const { body } = await post(nodes[0], '/oidc/device-authorization', { scope: 'openid' });
    const device = JSON.parse(body) as { readonly device_code: string; readonly user_code: string };
    await allowCode(browser, device.user_code);
    const form = { grant_type: DEVICE_GRANT, device_code: device.device_code };
    await expectOneOf(await everywhere((node) => post(node, '/oidc/token', form)));
  });
});

async function expectOneOf(replies: readonly Reply[]): Promise<void> {
  const [accepted, ...others] = replies.filter(({ status }) => status === 200);
  expect(others).toEqual([]);
  const refused = replies.filter(({ status }) => status !== 200);
  // A machine that is busy may have no connection to the database for some.
  const answers = refused.map(({ status, body }) => `${status} ${errorIn(body)}`);
  const decided = answers.filter((each) => each !== '503 temporarily_unavailable');
  expect(new Set(decided)).toEqual(new Set(['400 invalid_grant']));
  if (accepted === undefined) throw new Error('none was accepted');
  const tokens = tokensIn(accepted);
  expect(await userinfo(tokens)).toBe(401);
  expect((await refresh(nodes[0], tokens.refresh_token)).status).toBe(400);
}

function errorIn(body: string): unknown {
  return (JSON.parse(body) as { readonly error: unknown }).error;
}

test('a session with a revoked grant gets tokens for its next request', async () => {
  const code = await newCode();
  await redeemCode(nodes[0], code);
  expect((await redeemCode(nodes[1], code)).status).toBe(400);
  expect((await redeemCode(nodes[1], await newCode())).status).toBe(200);
});

test('two requests at once share a grant: neither ends the tokens of the other', async () => {
  const codes = await Promise.all(Array.from({ length: 10 }, () => newCode()));
  const replies = await Promise.all(codes.map((code, turn) => redeemCode(nodes[turn % 2]!, code)));
  const statuses = await Promise.all(replies.map((reply) => userinfo(tokensIn(reply))));
  expect(new Set(statuses)).toEqual(new Set([200]));
});

test('a pushed request gives one code, however often it is followed at once', async () => {
  const { body } = await post(nodes[1], '/oidc/par', REQUEST);
  const { request_uri: uri } = JSON.parse(body) as { readonly request_uri: string };
  const query = new URLSearchParams({ client_id: 'web', request_uri: uri }).toString();
  const replies = await Promise.all(
    Array.from({ length: 20 }, () => browser.open(`${BASE_URL}/oidc/authorize?${query}`)),
  );
  const codes = replies.filter(({ headers }) => headers.location?.includes('code='));
  expect(codes).toHaveLength(1);
});

test('a node that is killed in the middle lets nothing be redeemed twice', async () => {
  const codes = await Promise.all(Array.from({ length: 40 }, () => newCode()));
  const victim = await start();
  const accepted = new Map<string, number>();
  const count = (code: string, reply: Reply | undefined): void => {
    if (reply?.status === 200) accepted.set(code, (accepted.get(code) ?? 0) + 1);
  };
  await Promise.all(
    codes.map(async (code) => {
      const reply = await redeemCode(victim, code).catch(() => undefined);
      void victim.program.kill();
      count(code, reply);
    }),
  );
  for (const code of codes) count(code, await redeemCode(nodes[0], code));
  expect([...accepted.values()].filter((times) => times > 1)).toEqual([]);
  expect(accepted.size).toBeGreaterThan(0);
});
