// Direct routes find the same handler as Express's router, or none.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { describe, expect, test } from '@jest/globals';
import express from 'express';
import fc from 'fast-check';
import { DirectRoutes, type RouteHandler, type RouteMethod } from './direct-routes.js';

type Route = readonly [RouteMethod, string];

const METHODS = { GET: 'get', POST: 'post', ALL: 'all' } as const;

/** Like those of the config server. */
const WITH_CATCH_ALL: readonly Route[] = [
  ['GET', '/health/live'],
  ['GET', '/encrypt/status'],
  ['POST', '/encrypt'],
  ['POST', '/encrypt/:app/:profiles'],
  ['ALL', '/encrypt'],
  ['ALL', '/encrypt/:app/:profiles'],
  ['ALL', '/encrypt/status'],
  ['GET', '/key'],
  ['ALL', '/{*path}'],
];

/** Like those of the SSO application. */
const UNDER_A_CONTEXT: readonly Route[] = [
  ['POST', '/cas/v1/tickets'],
  ['POST', '/cas/v1/tickets/:tgt'],
  ['GET', '/cas/v1/tickets/:ticket'],
  ['ALL', '/cas/v1/tickets'],
  ['ALL', '/cas/validate'],
];

/** Patterns in front of what they cover, and one that leaves the first segment open. */
const OVERLAPPING: readonly Route[] = [
  ['GET', '/encrypt/:what'],
  ['GET', '/encrypt/status'],
  ['GET', '/key'],
  ['GET', '/:any/status'],
  ['GET', '/health/live'],
  ['ALL', '/{*path}'],
];

/** The names of the routes that each router finds. */
function bothRouters(routes: readonly Route[]): {
  readonly direct: (request: TestRequest) => string | undefined;
  readonly routed: (request: TestRequest) => string | undefined;
} {
  const short = new DirectRoutes();
  const router = express.Router({ caseSensitive: true });
  const names = new Map<RouteHandler, string>();
  let called: string | undefined;
  for (const [method, path] of routes) {
    const name = `${method} ${path}`;
    const handler = () => {
      called = name;
    };
    names.set(handler, name);
    short.add(method, path, handler);
    router[METHODS[method]](path, handler);
  }
  return {
    direct: (request) => names.get(short.find(request as IncomingMessage) ?? (() => undefined)),
    routed: (request) => {
      called = undefined;
      const response = { setHeader() {}, end() {} } as unknown as ServerResponse;
      router({ ...request } as never, response as never, () => {});
      return called;
    },
  };
}

interface TestRequest {
  readonly method: string;
  readonly url: string;
}

const segment = fc.oneof(
  fc.constantFrom('encrypt', 'status', 'key', 'health', 'live', 'cas', 'v1', 'tickets', 'validate'),
  fc.constantFrom('orders', 'prod', 'a.b', 'x,y', 'Encrypt', '%65ncrypt', 'encrypt%2Fstatus', 'é'),
  fc.constantFrom('', '.', '..', ' ', '#', '#encrypt', ';', 'encrypt;a=b', '\\', ':', '*', 'http:'),
  fc.string({ unit: fc.constantFrom(...'ab/?#\\:*%25 .') }),
);
const testRequests: fc.Arbitrary<TestRequest> = fc.record({
  method: fc.constantFrom('GET', 'POST', 'HEAD', 'OPTIONS', 'PUT', 'get'),
  url: fc
    .tuple(fc.array(segment, { maxLength: 4 }), fc.constantFrom('', '?', '?a=/b', '?/encrypt'))
    .map(([segments, query]) => `/${segments.join('/')}${query}`)
    .filter((url) => isWellFormed(url)),
});

/** The router itself refuses paths that are not. */
function isWellFormed(url: string): boolean {
  try {
    return decodeURIComponent(url) !== '';
  } catch {
    return false;
  }
}

describe('a direct route', () => {
  test.each([
    ['with a route of all paths', WITH_CATCH_ALL],
    ['below a context path', UNDER_A_CONTEXT],
    ['where patterns cover names', OVERLAPPING],
  ])('is the one that the router finds, or none: %s', (_kind, routes) => {
    const { direct, routed } = bothRouters(routes);
    fc.assert(
      fc.property(testRequests, (request) => {
        const way = direct(request);
        if (way !== undefined) expect(routed(request)).toBe(way);
      }),
      { numRuns: 2_000 },
    );
  });

  test.each<[string, string, string | undefined]>([
    ['POST', '/encrypt', 'POST /encrypt'],
    ['POST', '/encrypt?x', 'POST /encrypt'],
    ['GET', '/encrypt', 'ALL /encrypt'],
    ['GET', '/orders/prod', 'ALL /{*path}'],
    ['GET', '/orders-prod.yml?resolvePlaceholders=false', 'ALL /{*path}'],
    ['GET', '/health/live', 'GET /health/live'],
    // Left to the router.
    ['HEAD', '/orders/prod', undefined],
    ['OPTIONS', '/encrypt', undefined],
    ['POST', '/encrypt/', undefined],
    ['POST', '/encrypt/orders/prod', undefined],
    ['GET', '/encrypt#', undefined],
    ['GET', '/orders#encrypt', undefined],
    ['GET', '/', undefined],
    ['GET', '//orders/prod', undefined],
    ['GET', 'http://localhost/orders/prod', undefined],
  ])('of %s %s is %s', (method, url, name) => {
    expect(bothRouters(WITH_CATCH_ALL).direct({ method, url })).toBe(name);
  });

  test.each([
    ['a name behind a pattern that covers it', 'GET', '/encrypt/status'],
    ['all paths, where a pattern leaves the first segment open', 'GET', '/orders/prod'],
  ])('is not found for %s', (_rule, method, url) => {
    const { direct, routed } = bothRouters(OVERLAPPING);
    expect(routed({ method, url })).toBeDefined();
    expect(direct({ method, url })).toBeUndefined();
  });

  test('does not bypass middleware', () => {
    const routes = new DirectRoutes();
    const handler = (): void => {};
    routes.add('GET', '/before', handler);
    routes.close();
    routes.add('GET', '/behind', handler);
    const find = (url: string) => routes.find({ method: 'GET', url } as IncomingMessage);
    expect([find('/before'), find('/behind')]).toEqual([handler, undefined]);
  });
});
