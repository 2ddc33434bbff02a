// Finds the handlers of literal paths in a map, for speed. All other requests go through Express's router, which tries one
// pattern after the other.
import type { IncomingMessage, ServerResponse } from 'node:http';

/** As Nest registers it with Express. It rejects only if the error filter fails, too. */
export type RouteHandler = (request: IncomingMessage, response: ServerResponse) => unknown;

/** Other methods go through the router; `ALL` stands for every method. */
export type RouteMethod = 'GET' | 'POST' | 'ALL';

interface Route {
  readonly method: RouteMethod;
  readonly handler: RouteHandler;
}

/** The characters with a meaning in a path pattern. */
const VARIABLE = /[:*{}()[\]?+!\\]/;
const CATCH_ALL = '/{*path}';
/** A first segment without ambiguous characters. */
const FIRST_SEGMENT = /^\/([\w.~,-]+)(?=[/?]|$)/;

/**
 * Takes routes in the order of their registration, and finds the handler that the router would choose, or none where that is
 * not evident. A handler found here has no path parameters.
 */
export class DirectRoutes {
  /** Routes by literal path, in the order of their registration. */
  private readonly literalRoutes = new Map<string, Route[]>();

  /** The literal beginnings of the patterns so far. */
  private readonly patternPrefixes: string[] = [];

  /** First segments of all routes. */
  private readonly firstSegments = new Set<string>();
  private catchAll: RouteHandler | undefined;
  private isClosed = false;

  /** Adds the next route of the application. */
  add(method: RouteMethod, path: string, handler: RouteHandler): void {
    if (this.isClosed) return;
    if (path === CATCH_ALL) this.addCatchAll(method, handler);
    else if (VARIABLE.test(path)) this.addPattern(path);
    else this.addLiteral(path, { method, handler });
  }

  /** Later routes go through the router, which calls middleware before them. */
  close(): void {
    this.isClosed = true;
  }

  find({ method = '', url = '' }: IncomingMessage): RouteHandler | undefined {
    if (method !== 'GET' && method !== 'POST') return undefined;
    const query = url.indexOf('?');
    const path = query < 0 ? url : url.slice(0, query);
    const routes = this.literalRoutes.get(path);
    if (routes === undefined) return this.catchAll && this.fallback(url);
    return routes.find((route) => route.method === method || route.method === 'ALL')?.handler;
  }

  /** The catch-all route, for paths that no other route can match. */
  private fallback(url: string): RouteHandler | undefined {
    const first = FIRST_SEGMENT.exec(url)?.[1];
    return first === undefined || this.firstSegments.has(first) ? undefined : this.catchAll;
  }

  private addCatchAll(method: RouteMethod, handler: RouteHandler): void {
    // The router never reaches a later route.
    const isReachable = !this.patternPrefixes.some(matchesAnySegment);
    if (method === 'ALL' && isReachable) this.catchAll = handler;
    this.close();
  }

  private addPattern(path: string): void {
    this.patternPrefixes.push(path.slice(0, path.search(VARIABLE)));
    this.addFirstSegment(path);
  }

  private addLiteral(path: string, route: Route): void {
    this.addFirstSegment(path);
    if (this.patternPrefixes.some((beginning) => path.startsWith(beginning))) return;
    const routes = this.literalRoutes.get(path);
    if (routes) routes.push(route);
    else this.literalRoutes.set(path, [route]);
  }

  private addFirstSegment(path: string): void {
    this.firstSegments.add(path.split('/', 2)[1] ?? '');
  }
}

/** Whether the pattern matches any first segment. */
function matchesAnySegment(beginning: string): boolean {
  return !beginning.includes('/', 1);
}
