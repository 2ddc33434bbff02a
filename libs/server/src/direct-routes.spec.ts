// The short way to a route leads where Express's router leads, or nowhere.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { describe, expect, test } from '@jest/globals';
import express from 'express';
import fc from 'fast-check';
import { DirectRoutes, type RouteHandler, type RouteMethod } from './direct-routes.js';

type Route = readonly [RouteMethod, string];

const METHODS = { GET: 'get', POST: 'post', ALL: 'all' } as const;

/** Like those of the config server. */
const WITH_EVERYTHING: readonly Route[] = [
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
const CROSSING: readonly Route[] = [
  ['GET', '/encrypt/:what'],
  ['GET', '/encrypt/status'],
  ['GET', '/key'],
  ['GET', '/:any/status'],
  ['GET', '/health/live'],
  ['ALL', '/{*path}'],
];

/** The two ways, each to the names of routes. */
function waysOf(routes: readonly Route[]): {
  readonly direct: (request: Asked) => string | undefined;
  readonly routed: (request: Asked) => string | undefined;
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

interface Asked {
  readonly method: string;
  readonly url: string;
}

const segment = fc.oneof(
  fc.constantFrom('encrypt', 'status', 'key', 'health', 'live', 'cas', 'v1', 'tickets', 'validate'),
  fc.constantFrom('orders', 'prod', 'a.b', 'x,y', 'Encrypt', '%65ncrypt', 'encrypt%2Fstatus', 'é'),
  fc.constantFrom('', '.', '..', ' ', '#', '#encrypt', ';', 'encrypt;a=b', '\\', ':', '*', 'http:'),
  fc.string({ unit: fc.constantFrom(...'ab/?#\\:*%25 .') }),
);
const asked: fc.Arbitrary<Asked> = fc.record({
  method: fc.constantFrom('GET', 'POST', 'HEAD', 'OPTIONS', 'PUT', 'get'),
  url: fc
    .tuple(fc.array(segment, { maxLength: 4 }), fc.constantFrom('', '?', '?a=/b', '?/encrypt'))
    .map(([segments, query]) => `/${segments.join('/')}${query}`)
    .filter((url) => isWellFormed(url)),
});

/** The router refuses other paths by itself, and the route of all paths would have to. */
function isWellFormed(url: string): boolean {
  try {
    return decodeURIComponent(url) !== '';
  } catch {
    return false;
  }
}

describe('the short way', () => {
  test.each([
    ['with a route of all paths', WITH_EVERYTHING],
    ['below a context path', UNDER_A_CONTEXT],
    ['where patterns cover names', CROSSING],
  ])('leads where the router leads, or nowhere: %s', (_kind, routes) => {
    const { direct, routed } = waysOf(routes);
    fc.assert(
      fc.property(asked, (request) => {
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
    // The router's, since they take more than a look.
    ['HEAD', '/orders/prod', undefined],
    ['OPTIONS', '/encrypt', undefined],
    ['POST', '/encrypt/', undefined],
    ['POST', '/encrypt/orders/prod', undefined],
    ['GET', '/encrypt#', undefined],
    ['GET', '/orders#encrypt', undefined],
    ['GET', '/', undefined],
    ['GET', '//orders/prod', undefined],
    ['GET', 'http://localhost/orders/prod', undefined],
  ])('of %s %s is to %s', (method, url, name) => {
    expect(waysOf(WITH_EVERYTHING).direct({ method, url })).toBe(name);
  });

  test.each([
    ['a name behind a pattern that covers it', 'GET', '/encrypt/status'],
    ['all paths, where a pattern leaves the first segment open', 'GET', '/orders/prod'],
  ])('does not lead to %s', (_rule, method, url) => {
    const { direct, routed } = waysOf(CROSSING);
    expect(routed({ method, url })).toBeDefined();
    expect(direct({ method, url })).toBeUndefined();
  });

  test('does not pass by middleware', () => {
    const routes = new DirectRoutes();
    const handler = (): void => {};
    routes.add('GET', '/before', handler);
    routes.close();
    routes.add('GET', '/behind', handler);
    const find = (url: string) => routes.find({ method: 'GET', url } as IncomingMessage);
    expect([find('/before'), find('/behind')]).toEqual([handler, undefined]);
  });
});
