// The page that a browser finds at the address of each application.
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startConfigServer } from '../support/config-server.js';
import { makeFolder, removeFolder } from '../support/folders.js';
import { http } from '../support/http.js';
import { startSso, type Sso } from '../support/sso.js';

interface Place {
  /** Scheme, host and port. */
  readonly origin: string;
  readonly title: string;
  /** Path of the page, where it is not `/`. */
  readonly contextPath: string;
}

const ORDERS = { 'token-hash': 'ab'.repeat(32), applications: 'orders' };

const places = new Map<string, Place>();
const closings: (() => Promise<unknown>)[] = [];
let sso: Sso;

beforeAll(async () => {
  sso = await startSso();
  const rooted = await startSso({ settings: ['--sso.base-url=https://sso.example.org'] });
  const folder = await makeFolder();
  const configServer = await startConfigServer([
    `--config-server.native.location=${folder}`,
    `--config-server.clients=${JSON.stringify({ orders: ORDERS })}`,
  ]);
  const title = 'Tessera SSO';
  places.set('SSO', { origin: originOf(sso.url), title, contextPath: '/cas' });
  places.set('SSO without a path', { origin: originOf(rooted.url), title, contextPath: '' });
  const configTitle = 'Tessera config server';
  places.set('config server', { origin: configServer.url, title: configTitle, contextPath: '' });
  closings.push(
    () => sso.close(),
    () => rooted.close(),
    () => configServer.close(),
    () => removeFolder(folder),
  );
});
afterAll(() => Promise.all(closings.map((close) => close())));

function originOf(url: string): string {
  return new URL(url).origin;
}

function placeOf(name: string): Place {
  const place = places.get(name);
  if (place === undefined) throw new Error(`no place ${name}`);
  return place;
}

describe.each(['SSO', 'SSO without a path', 'config server'])('%s', (name) => {
  test.each(['POST', 'PUT', 'DELETE', 'OPTIONS'])(
    'refuses %s with 405 and Allow',
    async (method) => {
      const { origin, contextPath } = placeOf(name);
      const reply = await http(method, origin, contextPath || '/');
      expect(reply.status).toBe(405);
      expect(reply.headers).toMatchObject({ allow: 'GET, HEAD', 'cache-control': 'no-store' });
    },
  );

  test('names no file of the project, which callers do not have', async () => {
    const { origin, contextPath } = placeOf(name);
    expect((await http('GET', origin, contextPath || '/')).body).not.toMatch(/\.md|docs\//);
  });

  test.each(['', '/', '?lang=en', '/?lang=en'])('shows the page at the path%s', async (rest) => {
    const { origin, contextPath, title } = placeOf(name);
    const path = `${contextPath}${rest}`;
    const { status, body } = await http('GET', origin, path.startsWith('/') ? path : `/${path}`);
    expect(status).toBe(200);
    expect(body).toContain(`<h1>${title}</h1>`);
  });

  test('sends it with headers that let nothing be loaded, run, framed or kept', async () => {
    const { origin, contextPath } = placeOf(name);
    const { headers, body } = await http('GET', origin, contextPath || '/');
    const style = /<style>(.*?)<\/style>/s.exec(body)?.[1] ?? '';
    const hash = createHash('sha256').update(style).digest('base64');
    const { date, connection, ...others } = headers;
    expect([date, connection]).toEqual([expect.any(String), 'close']);
    expect(others).toEqual({
      'content-type': 'text/html;charset=UTF-8',
      'content-length': String(Buffer.byteLength(body)),
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'x-frame-options': 'DENY',
      ...(name !== 'config server' && { 'strict-transport-security': 'max-age=31536000' }),
      'content-security-policy': `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    });
    expect(body).not.toMatch(/<script|<form|<img| style=| on\w+=/i);
  });

  test('answers HEAD with the same headers and no body', async () => {
    const { origin, contextPath } = placeOf(name);
    const [get, head] = await Promise.all(
      ['GET', 'HEAD'].map((method) => http(method, origin, contextPath || '/')),
    );
    expect(head).toMatchObject({ status: 200, body: '' });
    expect({ ...head?.headers, date: '' }).toEqual({ ...get?.headers, date: '' });
  });

  test('links to pages and health checks that answer 200', async () => {
    const { origin, contextPath } = placeOf(name);
    const { body } = await http('GET', origin, contextPath || '/');
    const links = [...body.matchAll(/href="([^"]*)"/g)].map(([, link]) => link ?? '');
    const pages = name === 'config server' ? [] : [`${contextPath}/login`];
    expect(links).toEqual([...pages, `${contextPath}/health/live`, `${contextPath}/health/ready`]);
    for (const link of links) expect((await http('GET', origin, link)).status).toBe(200);
  });

  test.each(['text/html', '*/*', 'application/json'])(
    'is the same for Accept: %s',
    async (accept) => {
      const { origin, contextPath } = placeOf(name);
      const plain = await http('GET', origin, contextPath || '/');
      const reply = await http('GET', origin, contextPath || '/', { headers: { accept } });
      expect(reply).toMatchObject({ status: 200, body: plain.body });
    },
  );
});

test('a browser is led from the address of the host to the page', async () => {
  const headers = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
  const reply = await http('GET', placeOf('SSO').origin, '/', { headers });
  expect([reply.status, reply.headers.location]).toEqual([302, '/cas/']);
});

test.each([
  ['SSO', '/elsewhere'],
  ['SSO', '/cas/index.html'],
  ['SSO', '/cas/%ff'],
  ['SSO without a path', '/index.html'],
])('a browser gets a page where %s has none: %s', async (name, path) => {
  const { origin, contextPath } = placeOf(name);
  const reply = await http('GET', origin, path, { headers: { accept: 'text/html' } });
  expect([reply.status, reply.headers['x-frame-options']]).toEqual([
    path.endsWith('ff') ? 400 : 404,
    'DENY',
  ]);
  expect(reply.body).toContain(`<a href="${contextPath}/login">Go to the sign-in page</a>`);
});

test.each([
  ['SSO', '/'],
  ['SSO', '/CAS'],
  ['SSO', '/cas//'],
  ['SSO', '/cas/index.html'],
  ['SSO without a path', '/index.html'],
])('%s has no page at %s', async (name, path) => {
  expect((await http('GET', placeOf(name).origin, path)).status).toBe(404);
});

test('the config server still asks callers of its other paths for their credentials', async () => {
  expect((await http('GET', placeOf('config server').origin, '/orders/prod')).status).toBe(401);
});

test('the page tells nothing of the applications and clients of the config server', async () => {
  const { body } = await http('GET', placeOf('config server').origin, '/');
  expect(body).not.toMatch(/orders|abab/);
});
