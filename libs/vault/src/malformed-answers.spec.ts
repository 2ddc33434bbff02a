// Answers that a working Vault does not give: each is an error, and none counts as an absent secret.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { until } from '../../../test/support/until.js';
import { reply, FakeHttpServer, type Handler } from '../../../test/support/fake-http-server.js';
import { VaultClient } from './vault-client.js';
import { VaultError } from './vault-error.js';

const TIMEOUT = 2_000;
const SECRET = 'hunter2';
const OPTIONS = {
  tokens: { token: () => Promise.resolve('hvs.token-of-ours') },
  namespace: 'team/a',
  timeout: TIMEOUT,
};
const GOOD = reply(200, { data: { a: 'b' } });

const hangs: Handler = () => {};
const stalls: Handler = (response) => void response.writeHead(200).write('{"data"');
const breaks: Handler = (response) => void response.destroy();
const floods: Handler = (response) => {
  const more = (): void => {
    if (!response.destroyed) response.write(' '.repeat(1_048_576), () => setImmediate(more));
  };
  more();
};

let fakeServer: FakeHttpServer;
let client: VaultClient;

beforeAll(async () => {
  fakeServer = await FakeHttpServer.start();
  client = await VaultClient.open({ ...OPTIONS, uri: fakeServer.url });
});
afterAll(async () => {
  client.close();
  await fakeServer.stop();
});

const read = () => client.keyValues({ mount: 'secret', version: 1 }).read('orders');

describe('an answer', () => {
  test.each<[string, Handler, string, string]>([
    ['that never comes', hangs, 'VAULT_UNAVAILABLE', `no answer within ${TIMEOUT} ms`],
    ['that stops in the middle', stalls, 'VAULT_UNAVAILABLE', `no answer within ${TIMEOUT} ms`],
    ['that breaks off', breaks, 'VAULT_UNAVAILABLE', 'socket hang up'],
    ['of a proxy, in HTML', reply(200, '<html>'), 'VAULT_UNAVAILABLE', 'no JSON'],
    ['of JSON cut short', reply(200, `{"a":"${SECRET}"`), 'VAULT_UNAVAILABLE', 'no JSON'],
    ['of lists in lists', reply(200, '['.repeat(1e5)), 'VAULT_UNAVAILABLE', 'no JSON'],
    ['that is empty', reply(200, ''), 'VAULT_UNAVAILABLE', 'no object'],
    ['that is a list', reply(200, [SECRET]), 'VAULT_UNAVAILABLE', 'no object'],
    ['with a list for a secret', reply(200, { data: [] }), 'VAULT_UNAVAILABLE', 'no object'],
    ['with a number for a secret', reply(200, { data: 1 }), 'VAULT_UNAVAILABLE', 'no object'],
    ['of success without a body', reply(204, ''), 'VAULT_UNAVAILABLE', 'no object'],
    ['404 of somebody else', reply(404, { message: 'no' }), 'VAULT_UNAVAILABLE', 'a bare 404'],
    ['404 without a body', reply(404, ''), 'VAULT_UNAVAILABLE', 'a bare 404'],
    ['429', reply(429, { errors: ['slow'] }), 'VAULT_UNAVAILABLE', 'answered 429: slow'],
    ['500', reply(500, { errors: ['x', 1] }), 'VAULT_UNAVAILABLE', 'answered 500: x'],
    ['503 of a standby', reply(503, ''), 'VAULT_UNAVAILABLE', 'answered 503'],
    ['503, sealed', reply(503, { errors: ['Vault is sealed'] }), 'VAULT_SEALED', 'sealed'],
    ['400', reply(400, { errors: ['bad'] }), 'VAULT_REFUSED', 'status 400: bad'],
  ])('%s is an error within the timeout', async (_what, said, code, reason) => {
    fakeServer.respondWith(said);
    const thrown = await read().catch((error: unknown) => error);
    expect(thrown).toMatchObject({ code });
    expect(String((thrown as Error).cause)).toContain(reason);
    expect(String((thrown as Error).cause)).not.toContain(SECRET);
  });

  test('without end is an error', async () => {
    fakeServer.respondWith(floods);
    const slowClient = await VaultClient.open({ ...OPTIONS, uri: fakeServer.url, timeout: 20_000 });
    await expect(slowClient.get('secret/orders')).rejects.toMatchObject({
      code: 'VAULT_UNAVAILABLE',
      cause: { message: expect.stringContaining('an answer of more than') },
    });
    slowClient.close();
  });

  test('that redirects is not followed', async () => {
    const location = `${fakeServer.url}/v1/elsewhere`;
    fakeServer.respondWith(reply(307, '', { location }));
    await expect(read()).rejects.toMatchObject({ code: 'VAULT_UNAVAILABLE' });
    expect(new Set(fakeServer.requests.map(({ url }) => url))).toEqual(
      new Set(['/v1/secret/orders']),
    );
  });
});

describe('a request', () => {
  test('carries token, namespace and the header that agents require', async () => {
    fakeServer.respondWith(GOOD);
    expect(await read()).toEqual({ a: 'b' });
    expect(fakeServer.requests[0]?.headers).toMatchObject({
      'x-vault-token': 'hvs.token-of-ours',
      'x-vault-namespace': 'team/a',
      'x-vault-request': 'true',
    });
  });

  test.each([
    ['broken off', breaks],
    ['answered 502', reply(502, '')],
    ['answered 429', reply(429, { errors: [] })],
  ])('that is %s is made three times at most', async (_what, said) => {
    fakeServer.respondWith(said, said, GOOD);
    expect(await read()).toEqual({ a: 'b' });
    fakeServer.respondWith(said);
    await expect(read()).rejects.toMatchObject({ code: 'VAULT_UNAVAILABLE' });
    expect(fakeServer.requests).toHaveLength(3);
  });

  test.each([
    ['refused', reply(403, { errors: ['permission denied'] })],
    ['sealed out', reply(503, { errors: ['Vault is sealed'] })],
  ])('that is %s is made once', async (_what, said) => {
    fakeServer.respondWith(said);
    await expect(read()).rejects.toBeInstanceOf(VaultError);
    expect(fakeServer.requests).toHaveLength(1);
  });

  test('to a closed port is an error', async () => {
    const unconnected = await VaultClient.open({ ...OPTIONS, uri: 'http://127.0.0.1:1' });
    await expect(unconnected.get('secret/orders')).rejects.toMatchObject({
      code: 'VAULT_UNAVAILABLE',
      cause: { code: 'ECONNREFUSED' },
    });
  });
});

test('close aborts a pending request, and no other is sent', async () => {
  fakeServer.respondWith(hangs);
  const slowClient = await VaultClient.open({ ...OPTIONS, uri: fakeServer.url, timeout: 60_000 });
  const reading = slowClient.keyValues({ mount: 'secret', version: 1 }).read('orders');
  const refused = expect(reading).rejects.toMatchObject({ code: 'VAULT_UNAVAILABLE' });
  await until('Vault is asked', () => fakeServer.requests.length === 1);
  slowClient.close();
  await refused;
  expect(fakeServer.requests).toHaveLength(1);
});
