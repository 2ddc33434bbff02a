// What /key answers where there is an RSA key, and which key `{key:…}` asks for at /encrypt and /decrypt.
import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startConfigServer, type ConfigServer } from '../support/config-server.js';
import { makeFolder, removeFolder } from '../support/folders.js';
import { http } from '../support/http.js';

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const FORM = 'application/x-www-form-urlencoded';
const INVALID = '{"description":"Text not encrypted with this key","status":"INVALID"}';
const NO_SUCH_KEY = '{"description":"no such key","status":"INVALID"}';

let server: ConfigServer;
let folder: string;
/** What /key answers. */
let published: string;

beforeAll(async () => {
  folder = await makeFolder();
  const path = join(folder, 'Rsa.pem');
  await writeFile(path, privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 });
  server = await startConfigServer([`--encrypt.key-files=${path}`, '--encrypt.key=foo']);
  published = (await http('GET', server.url, '/key')).body;
});
afterAll(async () => {
  await server.close();
  await removeFolder(folder);
});

const post = (path: string, body: string) =>
  http('POST', server.url, path, { body, headers: { 'content-type': 'text/plain' } });

describe('the public key', () => {
  test('is that of the RSA key, as ssh has it', () => {
    const { n = '', e = '' } = createPublicKey(privateKey).export({ format: 'jwk' });
    const [kind, digits = '', name] = published.split(' ');
    expect([kind, name]).toEqual(['ssh-rsa', 'application']);
    const fields = Buffer.from(digits, 'base64').toString('hex');
    expect(fields).toContain(Buffer.from(n, 'base64url').toString('hex'));
    expect(fields).toContain(Buffer.from(e, 'base64url').toString('hex'));
  });

  test.each(['/key', '/key/orders/prod', '/key/orders,billing/dev,prod'])(
    'is the same at %s, and HEAD has its length alone',
    async (path) => {
      const whole = { 'content-type': 'text/plain;charset=UTF-8', 'cache-control': 'no-store' };
      const headers = { ...whole, 'content-length': String(published.length) };
      expect(await http('GET', server.url, path)).toMatchObject({
        status: 200,
        headers,
        body: published,
      });
      expect(await http('HEAD', server.url, path)).toMatchObject({
        status: 200,
        headers,
        body: '',
      });
    },
  );

  test.each([
    ['POST', '/key', 405, 'METHOD_NOT_ALLOWED'],
    ['PUT', '/key/orders/prod', 405, 'METHOD_NOT_ALLOWED'],
    ['GET', '/key/a%2e%2e/prod', 400, 'INVALID'],
    ['GET', '/key/orders/b%2fc', 400, 'INVALID'],
    ['GET', '/key/%7bkey%3arsa%7d/prod', 400, 'INVALID'],
  ])('is not had by %s %s', async (method, path, status, word) => {
    const reply = await http(method, server.url, path);
    expect([reply.status, reply.headers.allow]).toEqual([
      status,
      status === 405 ? 'GET, HEAD' : undefined,
    ]);
    expect(JSON.parse(reply.body)).toEqual({ description: expect.any(String), status: word });
  });
});

describe('{key:…}', () => {
  test.each([
    ['an unknown key', '{key:nosuch}x'],
    ['an empty alias', '{key:}x'],
    ['an alias with white space', '{key: rsa}x'],
    ['an alias that objects have', '{key:__proto__}x'],
    ['an alias with a line end', '{key:rsa\r\n}x'],
    ['an unknown key behind a known one', '{key:rsa}{key:nosuch}x'],
  ])('is refused with %s', async (_what, body) => {
    expect(await post('/encrypt', body)).toMatchObject({ status: 400, body: NO_SUCH_KEY });
  });

  test.each<[string, string, RegExp, string]>([
    ['names a key in any case of letters', '{key:RSA}x', /^\{key:RSA\}[\w+/]+=*$/, 'x'],
    ['counts when it is last', '{key:nosuch}{key:default}x', /^\{key:default\}v1\./, 'x'],
    ['may stand before nothing', '{key:rsa}', /^\{key:rsa\}[\w+/]+=*$/, ''],
    ['is text where it does not end', '{key:rsa x', /^[\w+/]+=*$/, '{key:rsa x'],
    ['is text where it does not begin', 'x{key:rsa}', /^[\w+/]+=*$/, 'x{key:rsa}'],
    ['is text with braces in it', '{key:{rsa}}x', /^[\w+/]+=*$/, '{key:{rsa}}x'],
    ['is text behind {plain}', '{plain}{key:nosuch}x', /^[\w+/]+=*$/, '{key:nosuch}x'],
  ])('%s', async (_rule, body, form, plain) => {
    const cipher = await post('/encrypt', body);
    expect(cipher).toMatchObject({ status: 200, body: expect.stringMatching(form) });
    expect(await post('/decrypt', cipher.body)).toMatchObject({ status: 200, body: plain });
  });

  test.each([
    ['another key', '{key:default}'],
    ['an unknown one', '{key:nosuch}'],
    ['none', '{key:}'],
  ])('reads nothing with %s', async (_what, selector) => {
    const { body: cipher } = await post('/encrypt', 'x');
    expect(await post('/decrypt', cipher)).toMatchObject({ status: 200, body: 'x' });
    expect(await post('/decrypt', selector + cipher)).toMatchObject({ status: 400, body: INVALID });
  });
});

// Secrets of public bug reports.
test.each([
  '{ name : "j", cars : ["c"] }',
  String.raw`Weird\[chars"[]^`,
  'àéîõü ß €',
  '%49',
  'a+b',
  'a&b',
  '&',
])('the secret %s comes back in each content type', async (secret) => {
  for (const type of ['text/plain', 'application/octet-stream', 'application/json', FORM]) {
    const headers = { 'content-type': type };
    const body = type === FORM ? encodeURIComponent(secret) : secret;
    const { body: cipher } = await http('POST', server.url, '/encrypt', { body, headers });
    const sent = type === FORM ? encodeURIComponent(cipher) : cipher;
    const reply = await http('POST', server.url, '/decrypt', { body: sent, headers });
    expect(reply).toMatchObject({ status: 200, body: secret });
  }
});
