// The answers of /encrypt, /decrypt and /key, byte for byte. The specs of the ciphers say which texts can be decrypted.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { assert, asyncProperty, uint8Array } from 'fast-check';
import { startConfigServer, type ConfigServer } from '../support/config-server.js';
import { http, type Call } from '../support/http.js';

const TEXT = { 'content-type': 'text/plain' };
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const INVALID = '{"description":"Text not encrypted with this key","status":"INVALID"}';
/** Of the password `foo`, by the real server. */
const PASSWORD = '--encrypt.key=foo';

let server: ConfigServer;
let keyless: ConfigServer;

beforeAll(async () => {
  [server, keyless] = await Promise.all([startConfigServer([PASSWORD]), startConfigServer([])]);
});
afterAll(async () => {
  await server.close();
  await keyless.close();
});

const post = (path: string, body: string | Buffer, headers: Call['headers'] = TEXT) =>
  http('POST', server.url, path, { body, headers });
const decrypted = async (cipher: string): Promise<string> => (await post('/decrypt', cipher)).body;

describe('encryption refuses', () => {
  test.each<[string, string, string, Call, number, string, string]>([
    [
      'an empty text',
      'POST',
      '/encrypt',
      { body: '', headers: TEXT },
      400,
      'INVALID',
      'the body is empty',
    ],
    [
      'a form of nothing but =',
      'POST',
      '/encrypt',
      { body: '=', headers: FORM },
      400,
      'INVALID',
      'the body is empty',
    ],
    ['nothing at all', 'POST', '/decrypt', {}, 400, 'INVALID', 'the body is empty'],
    [
      'a form with a lone percent sign',
      'POST',
      '/encrypt',
      { body: '100%', headers: FORM },
      400,
      'INVALID',
      'a form needs %25 for each %; send text/plain for text as it is',
    ],
    [
      'a malformed Content-Type',
      'POST',
      '/encrypt',
      { body: 'x', headers: { 'content-type': 'bad' } },
      415,
      'UNSUPPORTED_MEDIA_TYPE',
      'Content-Type is not well formed',
    ],
    [
      'a compressed body',
      'POST',
      '/encrypt',
      { body: 'x', headers: { ...TEXT, 'content-encoding': 'gzip' } },
      415,
      'UNSUPPORTED_MEDIA_TYPE',
      'Content-Encoding is not supported',
    ],
    [
      'more than 1 MiB',
      'POST',
      '/encrypt',
      { body: 'x'.repeat(1024 * 1024 + 1), headers: TEXT },
      413,
      'TOO_LARGE',
      'the body is larger than 1048576 bytes',
    ],
    [
      'an unknown selector',
      'POST',
      '/encrypt',
      { body: '{foo:x}y', headers: TEXT },
      400,
      'INVALID',
      'unknown selector {foo:…}: write {plain} before a text that starts so',
    ],
    [
      'an unknown key',
      'POST',
      '/encrypt',
      { body: '{key:nosuch}y', headers: TEXT },
      400,
      'INVALID',
      'no such key',
    ],
    [
      'dots in a path',
      'POST',
      '/encrypt/a%2e%2e/default',
      { body: 'x', headers: TEXT },
      400,
      'INVALID',
      "the application in the path is not a name of letters, digits, '.', '_' and '-'",
    ],
    [
      'a separator in a path',
      'POST',
      '/decrypt/a/b%2fc',
      { body: 'x', headers: TEXT },
      400,
      'INVALID',
      "the profile in the path is not a name of letters, digits, '.', '_' and '-'",
    ],
    ['GET', 'GET', '/encrypt', {}, 405, 'METHOD_NOT_ALLOWED', 'Method not allowed'],
    ['PUT', 'PUT', '/decrypt', { body: 'x' }, 405, 'METHOD_NOT_ALLOWED', 'Method not allowed'],
    ['a key that is none of RSA', 'GET', '/key', {}, 404, 'NOT_FOUND', 'No public key available'],
  ])('%s', async (...[, method, path, call, status, word, description]) => {
    const reply = await http(method, server.url, path, call);
    expect({ status: reply.status, type: reply.headers['content-type'], body: reply.body }).toEqual(
      {
        status,
        type: 'application/json',
        body: JSON.stringify({ description, status: word }),
      },
    );
    expect(reply.headers.allow).toBe(status === 405 ? 'POST' : undefined);
  });

  test.each([
    ['POST', '/encrypt'],
    ['POST', '/decrypt'],
    ['GET', '/encrypt/status'],
    ['GET', '/key'],
    ['GET', '/key/a/b'],
  ])('%s %s without a key', async (method, path) => {
    const call = method === 'POST' ? { body: 'x', headers: TEXT } : {};
    expect(await http(method, keyless.url, path, call)).toMatchObject({
      status: 404,
      body: '{"description":"No key was installed for encryption service","status":"NO_KEY"}',
    });
  });
});

describe('a text that cannot be decrypted has one answer', () => {
  const real = '6922d64c6605bb09a956ff40de59a72b09b5d18b8d3c9d9fe4efb3f2fce86576';
  test.each<[string, string, Call['headers']?]>([
    ['where it is of another key', real],
    ['where it is no hex', 'zz'],
    ['where it is an IV alone', real.slice(0, 32)],
    ['where its envelope has no such key', `v1.nosuch.${'A'.repeat(40)}`],
    ['where its alias is unknown', `{key:nosuch}${real}`],
    ['where it is no text', '\u0000'],
    ['where it is a prefix alone', '{cipher}'],
    ['as a form too', 'zz', FORM],
  ])('%s', async (_rule, body, headers = TEXT) => {
    const { status, headers: answered, body: said } = await post('/decrypt', body, headers);
    expect([status, answered['content-type'], said]).toEqual([400, 'application/json', INVALID]);
  });

  test('whatever one byte of it is changed to', async () => {
    const { body: cipher } = await post('/encrypt', 'some secret');
    for (let at = 0; at < cipher.length; at += 1) {
      const changed = `${cipher.slice(0, at)}${cipher[at] === 'A' ? 'B' : 'A'}${cipher.slice(at + 1)}`;
      const { status, body } = await post('/decrypt', changed);
      expect([status, body]).toEqual([400, INVALID]);
    }
  });
});

describe('encryption', () => {
  test.each<[string, Call['headers'], string, string]>([
    ['text/plain', TEXT, 'my+pass', 'my+pass'],
    ['text/plain with a charset', { 'content-type': 'text/plain;charset=UTF-8' }, 'a+b=', 'a+b='],
    ['octets', { 'content-type': 'application/octet-stream' }, 'a+b=', 'a+b='],
    ['JSON', { 'content-type': 'application/json' }, '{"a":1}', '{"a":1}'],
    ['no Content-Type', {}, 'my+pass', 'my+pass'],
    ['a line end', TEXT, 'abc\n', 'abc\n'],
    ['a form, as curl -d sends it', FORM, 'my+pass', 'my pass'],
    ['a form that was encoded', FORM, 'my%2Bpass', 'my+pass'],
    ['a pair that was none', FORM, 'a=b%20c', 'a=b c'],
    ['{plain}', TEXT, '{plain}{key:a}x', '{key:a}x'],
    ['what Spring sends in front', TEXT, '{name:a}{profiles:b}x', 'x'],
  ])('takes %s as it should', async (_rule, headers, body, plain) => {
    const cipher = await http('POST', server.url, '/encrypt', {
      body,
      ...(headers && { headers }),
    });
    expect(cipher).toMatchObject({
      status: 200,
      body: expect.stringMatching(/^v1\.[\w-]+\.[\w-]+$/),
    });
    expect(cipher.headers['content-type']).toBe('text/plain;charset=UTF-8');
    expect(await decrypted(cipher.body)).toBe(plain);
  });

  test.each([
    ['as settings files have it', (cipher: string) => `{cipher}${cipher}`],
    ['with the line end that files have', (cipher: string) => `${cipher}\n`],
  ])('reads a ciphertext %s', async (_rule, written) => {
    const { body: cipher } = await post('/encrypt/orders/dev,prod', 'x');
    expect(await post('/decrypt/orders/prod', written(cipher))).toMatchObject({
      status: 200,
      body: 'x',
    });
  });

  const percentEncoded = (bytes: Uint8Array): string =>
    Buffer.from(bytes).toString('hex').replaceAll(/../g, '%$&');
  test.each<[string, Record<string, string>, (bytes: Uint8Array) => Uint8Array | string]>([
    ['as text/plain', TEXT, (bytes) => bytes],
    ['as octets', { 'content-type': 'application/octet-stream' }, (bytes) => bytes],
    ['as a form', FORM, percentEncoded],
  ])('gives every byte back %s', async (_form, headers, bodyOf) => {
    await assert(
      asyncProperty(uint8Array({ minLength: 1 }), async (bytes) => {
        const secret = Buffer.concat([Buffer.from('{plain}'), bytes]);
        const { body: cipher } = await post('/encrypt', Buffer.from(bodyOf(secret)), headers);
        const answer = await fetch(`${server.url}/decrypt`, {
          method: 'POST',
          body: bodyOf(Buffer.from(cipher)) as BodyInit,
          headers,
        });
        expect(Buffer.from(await answer.arrayBuffer())).toEqual(Buffer.from(bytes));
      }),
      { numRuns: 50 },
    );
  });

  test('leaves the selector of the key in front', async () => {
    const { body: cipher } = await post('/encrypt', '{key:default}secret');
    expect(cipher).toMatch(/^\{key:default\}v1\./);
    expect(await decrypted(`{cipher}${cipher}`)).toBe('secret');
  });

  test('says that it has a key', async () => {
    const { status, body } = await http('GET', server.url, '/encrypt/status');
    expect([status, body]).toEqual([200, '{"status":"OK"}']);
  });
});

test('/decrypt can be switched off alone', async () => {
  const off = await startConfigServer([PASSWORD, '--config-server.decrypt.enabled=false']);
  try {
    const call = { body: 'x', headers: TEXT };
    expect((await http('POST', off.url, '/encrypt', call)).status).toBe(200);
    expect(await http('POST', off.url, '/decrypt', call)).toMatchObject({
      status: 404,
      body: '{"description":"/decrypt is switched off","status":"NOT_FOUND"}',
    });
  } finally {
    await off.close();
  }
});
