// Owns the short way to routes: where a path names its route plainly, the handler is found in a map. Every other request
// takes Express's router, which tries one pattern after the other and sets up each request for what ours never ask of it.
import type { IncomingMessage, ServerResponse } from 'node:http';

/** As Nest gives it to Express: it answers by itself, unless what answers errors fails too. */
export type RouteHandler = (request: IncomingMessage, response: ServerResponse) => unknown;

/** Requests of other methods are the router's; `ALL` stands for every method. */
export type RouteMethod = 'GET' | 'POST' | 'ALL';

interface Route {
  readonly method: RouteMethod;
  readonly handler: RouteHandler;
}

/** Where the part of a pattern begins that stands for more than itself. */
const VARIABLE = /[:*{}()[\]?+!\\]/;
const EVERYTHING = '/{*path}';
/** What all readers of URLs take for a whole first segment. */
const FIRST_SEGMENT = /^\/([\w.~,-]+)(?=[/?]|$)/;

/**
 * Learns the routes in the order in which the router does, and finds the handler it would choose, or nothing where it takes
 * more than a look. A handler so found is called without path parameters.
 */
export class DirectRoutes {
  /** Routes of paths without anything variable, the first to take a method first. */
  private readonly literal = new Map<string, Route[]>();

  /** The literal beginnings of patterns so far. */
  private readonly beginnings: string[] = [];

  /** First segments that any route begins with. */
  private readonly taken = new Set<string>();
  private everything: RouteHandler | undefined;
  private isClosed = false;

  /** The next route of the application. */
  add(method: RouteMethod, path: string, handler: RouteHandler): void {
    if (this.isClosed) return;
    if (path === EVERYTHING) this.addEverything(method, handler);
    else if (VARIABLE.test(path)) this.addPattern(path);
    else this.addLiteral(path, { method, handler });
  }

  /** From here on the router alone knows what comes before a route. */
  close(): void {
    this.isClosed = true;
  }

  find({ method = '', url = '' }: IncomingMessage): RouteHandler | undefined {
    if (method !== 'GET' && method !== 'POST') return undefined;
    const query = url.indexOf('?');
    const path = query < 0 ? url : url.slice(0, query);
    const routes = this.literal.get(path);
    if (routes === undefined) return this.everything && this.fallback(url);
    return routes.find((route) => route.method === method || route.method === 'ALL')?.handler;
  }

  /** The route of all paths that no other could take. */
  private fallback(url: string): RouteHandler | undefined {
    const first = FIRST_SEGMENT.exec(url)?.[1];
    return first === undefined || this.taken.has(first) ? undefined : this.everything;
  }

  private addEverything(method: RouteMethod, handler: RouteHandler): void {
    // Whatever comes after it is never asked.
    if (method === 'ALL' && !this.beginnings.some(isOpen)) this.everything = handler;
    this.close();
  }

  private addPattern(path: string): void {
    this.beginnings.push(path.slice(0, path.search(VARIABLE)));
    this.take(path);
  }

  private addLiteral(path: string, route: Route): void {
    this.take(path);
    if (this.beginnings.some((beginning) => path.startsWith(beginning))) return;
    const routes = this.literal.get(path);
    if (routes) routes.push(route);
    else this.literal.set(path, [route]);
  }

  private take(path: string): void {
    this.taken.add(path.split('/', 2)[1] ?? '');
  }
}

/** Whether it leaves the first segment open. */
function isOpen(beginning: string): boolean {
  return !beginning.includes('/', 1);
}
