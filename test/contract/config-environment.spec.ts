// Environments and files byte for byte as Spring Cloud Config 4.3.1 answered for the files of test/support/config-repo;
// names of sources are relative to the backend's root.
import { cp, readFile, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { NativeBackend } from '../../apps/config-server/src/backends/native/native-backend.js';
import { serveEnvironments, type EnvironmentServer } from '../support/config-environment.js';
import { makeFolder, removeFolder } from '../support/folders.js';
import { http } from '../support/http.js';

const REPOSITORY = join(import.meta.dirname, '../support/config-repo');
const ANSWERS = join(import.meta.dirname, '../support/config-answers');
const JSON_TYPE = 'application/json';
const V2_TYPE = 'application/vnd.spring-cloud.config-server.v2+json';
const TEXT = 'text/plain;charset=UTF-8';
const BYTES = 'application/octet-stream';

/** What the two protected values of the files hide. */
const plaintexts = {
  '0326ca2e2e15acdd646295bfe69c1c7a3598cbe7be830a031823c0e709eab2d1': 'props-secret',
  bfe6b2a66e92eda60a09b5c06db6f6eea22d271111880e0fde825d32397fd756: 'yaml-secret é',
};
const overrides = { esc: '\\${raw}', 'forced.x': '${raw}', greeting: 'overridden' };

let repository: string;
let plain: EnvironmentServer;
let overridden: EnvironmentServer;
let opened: EnvironmentServer;

beforeAll(async () => {
  repository = await makeFolder();
  await cp(REPOSITORY, repository, { recursive: true });
  const open = (settings: Parameters<typeof serveEnvironments>[1]): Promise<EnvironmentServer> =>
    serveEnvironments([new NativeBackend({ location: repository, searchPaths: ['.'] })], settings);
  plain = await open({ plaintexts });
  overridden = await open({ settings: { overrides, decrypts: false } });
  opened = await open({ plaintexts, settings: { decryptsFiles: true } });
});

afterAll(async () => {
  for (const server of [plain, overridden, opened]) await server.close();
  await removeFolder(repository);
});

function expected(answer: string): Promise<string> {
  return readFile(join(ANSWERS, answer), 'utf8');
}

describe('environments', () => {
  test.each([
    ['/orders/prod', 'orders-prod.environment'],
    ['/orders/prod?resolvePlaceholders=false', 'orders-prod.environment'],
    ['/orders/default', 'orders-default.environment'],
    ['/orders/dev,prod', 'orders-dev,prod.environment'],
    ['/orders,json-app/prod', 'orders,json-app-prod.environment'],
    ['/nosuch/default', 'nosuch-default.environment'],
    ['/foo(_)bar/default', 'foo_bar-default.environment'],
    ['/orders/prod/feature(_)x', 'orders-prod-feature_x.environment'],
  ])('%s', async (path, answer) => {
    const { status, headers, body } = await http('GET', plain.url, path);
    expect(body).toBe(await expected(answer));
    expect([status, headers['content-type']]).toEqual([200, JSON_TYPE]);
  });

  test('with origins, by media type', async () => {
    const call = { headers: { accept: V2_TYPE } };
    const { headers, body } = await http('GET', plain.url, '/orders/prod', call);
    expect(body).toBe(await expected('orders-prod.origins'));
    expect(headers['content-type']).toBe(V2_TYPE);
  });

  test('with overrides, and protected values as they are', async () => {
    const { body } = await http('GET', overridden.url, '/orders/prod');
    expect(body).toBe(await expected('overridden-orders-prod.environment'));
  });
});

describe('flattened forms', () => {
  test.each([
    ['/orders-prod.yml', 'text/plain', 'orders-prod.yml'],
    ['/orders-prod.yaml', 'text/plain', 'orders-prod.yml'],
    ['/orders-prod.json', JSON_TYPE, 'orders-prod.json'],
    ['/orders-prod.properties', 'text/plain', 'orders-prod.properties'],
    ['/orders-prod.yml?resolvePlaceholders=false', 'text/plain', 'orders-prod.raw.yml'],
    [
      '/orders-prod.properties?resolvePlaceholders=false',
      'text/plain',
      'orders-prod.raw.properties',
    ],
    ['/main/orders-prod.yml', 'text/plain', 'orders-prod.yml'],
    ['/main/orders-prod.json', JSON_TYPE, 'orders-prod.json'],
    ['/orders-default.yml', 'text/plain', 'orders-default.yml'],
    ['/orders-dev,prod.properties', 'text/plain', 'orders-prod.properties'],
    ['/my-orders-prod.yml', 'text/plain', 'my-orders-prod.yml'],
    ['/nosuch-default.json', JSON_TYPE, 'nosuch-default.json'],
  ])('%s', async (path, type, answer) => {
    const { status, headers, body } = await http('GET', plain.url, path);
    expect(body).toBe(await expected(answer));
    expect([status, headers['content-type']]).toEqual([200, type]);
  });

  test('with overrides', async () => {
    const { body } = await http('GET', overridden.url, '/orders-prod.properties');
    expect(body).toBe(await expected('overridden-orders-prod.properties'));
  });
});

describe('files', () => {
  test.each([
    ['/orders/prod/main/nginx.conf', '*/*', TEXT, 'nginx.conf'],
    ['/orders/prod/nginx.conf?useDefaultLabel', '*/*', TEXT, 'nginx.conf'],
    ['/orders/prod/nginx.conf?useDefaultLabel=true', '*/*', TEXT, 'nginx.conf'],
    ['/orders/prod/sub/deep.txt?useDefaultLabel', '*/*', TEXT, 'deep.txt'],
    ['/orders/prod/main/sub/deep.txt', 'text/html, */*;q=0.8', TEXT, 'deep.txt'],
    ['/orders/prod/main/data.json', '*/*', TEXT, 'data.json'],
    ['/orders/prod/main/data.json', JSON_TYPE, JSON_TYPE, 'data.json'],
    ['/orders/prod/main/orders.yml', '*/*', TEXT, 'orders.plain.yml'],
    [
      '/orders/prod/main/nginx.conf?resolvePlaceholders=false',
      '*/*',
      TEXT,
      '../config-repo/nginx.conf',
    ],
    ['/orders/prod/main/nginx.conf', BYTES, BYTES, '../config-repo/nginx.conf'],
    ['/orders/prod/main/data.json', BYTES, BYTES, '../config-repo/data.json'],
  ])('%s as %s', async (path, accept, type, answer) => {
    const { status, headers, body } = await http('GET', plain.url, path, { headers: { accept } });
    expect(body).toBe(await expected(answer));
    expect([status, headers['content-type']]).toEqual([200, type]);
  });

  test('have the date of the file, and 304 since then', async () => {
    const modified = new Date('2026-11-21T12:47:56.789Z');
    await utimes(join(repository, 'sub/deep.txt'), modified, modified);
    const path = '/orders/prod/main/sub/deep.txt';
    const date = 'Sat, 21 Nov 2026 12:47:56 GMT';
    const first = await http('GET', plain.url, path);
    expect(first.headers['last-modified']).toBe(date);
    const since = (when: string): Promise<{ status: number; body: string }> =>
      http('GET', plain.url, path, { headers: { 'if-modified-since': when } });
    expect(await since(date)).toMatchObject({ status: 304, body: '' });
    expect(await since('Wed, 01 Jan 2035 00:00:00 GMT')).toMatchObject({ status: 304 });
    expect(await since('Sat, 21 Nov 2026 12:47:55 GMT')).toMatchObject({ status: 200 });
    expect(await since('some day')).toMatchObject({ status: 200 });
  });

  test('are decrypted where the settings say so', async () => {
    const { body } = await http('GET', opened.url, '/orders/prod/main/data.json');
    expect(JSON.parse(body)).toMatchObject({ secret: 'props-secret' });
    const raw = await http('GET', opened.url, '/orders/prod/main/data.json', {
      headers: { accept: BYTES },
    });
    expect(raw.body).toBe(await expected('../config-repo/data.json'));
  });

  test.each(['nosuch.txt', 'sub', 'nginx.conf/x', 'Nginx.conf'])('404 for %s', async (file) => {
    expect(await http('GET', plain.url, `/orders/prod/main/${file}`)).toMatchObject({
      status: 404,
    });
  });
});
