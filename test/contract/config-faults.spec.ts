// What the config server answers where no endpoint has worded the fault: JSON throughout, in the form of the endpoints near by.
import { afterAll, afterEach, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { CryptoError, KeyRing } from '@tessera/crypto';
import { startConfigServer, type ConfigServer } from '../support/config-server.js';
import { http } from '../support/http.js';
import { NativeBackend } from '../../apps/config-server/src/backends/native/native-backend.js';

let server: ConfigServer;

beforeAll(async () => {
  server = await startConfigServer(['--encrypt.key=foo']);
});
afterAll(() => server.close());
afterEach(() => {
  jest.restoreAllMocks();
});

const BUSY = new CryptoError('PASSWORD_HASHING_BUSY', 'too many at the moment');
const FAULT = new Error('at /home/secret');
const UNDECODABLE = /^the path is not well-formed/;

async function answerTo(method: string, path: string) {
  const call = method === 'POST' ? { body: 'x', headers: { 'content-type': 'text/plain' } } : {};
  const { status, headers, body } = await http(method, server.url, path, call);
  return { status, type: headers['content-type'], retryAfter: headers['retry-after'], body };
}

describe('below the paths of encryption', () => {
  test.each([
    ['POST', '/encrypt/%zz/x'],
    ['POST', '/decrypt/%ff/x'],
    ['GET', '/key/%zz?x=/'],
  ])('%s %s is refused with a description and a status', async (method, path) => {
    const { body, ...answer } = await answerTo(method, path);
    expect(answer).toEqual({ status: 400, type: 'application/json' });
    expect(JSON.parse(body)).toEqual({
      description: expect.stringMatching(UNDECODABLE),
      status: 'INVALID',
    });
  });

  test.each([
    [BUSY, 503, '2', '{"description":"Service temporarily unavailable","status":"UNAVAILABLE"}'],
    [FAULT, 500, undefined, '{"description":"Internal error","status":"ERROR"}'],
  ])('%s is reported the same way', async (error, status, retryAfter, body) => {
    jest.spyOn(KeyRing.prototype, 'encrypt').mockRejectedValue(error);
    const answer = await answerTo('POST', '/encrypt');
    expect(answer).toEqual({ status, type: 'application/json', retryAfter, body });
  });
});

describe('everywhere else', () => {
  test.each([
    ['GET', '/%ff/prod', [400, 'Bad Request', UNDECODABLE]],
    ['GET', '/orders/%zz?label=x', [400, 'Bad Request', UNDECODABLE]],
    ['GET', '/keys/%zz', [400, 'Bad Request', UNDECODABLE]],
    ['GET', '/health/nosuch', [404, 'Not Found', /./]],
  ] as const)('%s %s is refused as environments are', async (method, path, expected) => {
    const [status, error, message] = expected;
    const { body, ...answer } = await answerTo(method, path);
    expect(answer).toEqual({ status, type: 'application/json' });
    expect(JSON.parse(body)).toEqual({
      timestamp: expect.stringMatching(/^\d{4}-.*\+00:00$/),
      status,
      error,
      path: path.split('?')[0],
      message: expect.stringMatching(message),
    });
  });

  test.each([
    [BUSY, 503, '2', 'Service temporarily unavailable'],
    [FAULT, 500, undefined, 'Internal error'],
  ])('%s is reported the same way', async (fault, status, retryAfter, message) => {
    jest.spyOn(NativeBackend.prototype, 'find').mockRejectedValue(fault);
    const { body, ...answer } = await answerTo('GET', '/orders/prod');
    expect(answer).toEqual({ status, type: 'application/json', retryAfter });
    expect(JSON.parse(body)).toMatchObject({ status, path: '/orders/prod', message });
    expect(body).not.toContain('/home');
  });
});
