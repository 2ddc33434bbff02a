// The events of HTTP requests, for metrics and traces, and bounded names for methods and routes.
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { EventChannel } from '@tessera/runtime';

interface ServerEvent {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly server: Server;
}

/** Node publishes these for each HTTP server of the process. */
export const requestStarts = new EventChannel<ServerEvent>('http.server.request.start');
export const responseFinishes = new EventChannel<ServerEvent>('http.server.response.finish');

/** Runs the code that handles a request. Requests with an invalid head never get there. */
export const requestHandling = new EventChannel<IncomingMessage>('tessera:requests');

/** Callers choose the method. */
const KNOWN_METHODS: ReadonlySet<string> = new Set([
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'OPTIONS',
]);

/** Nest's own route for paths below the context path that have no other. */
const NEST_NOT_FOUND = '*path';

/** The template of the route that Express has matched; undefined where there is none. */
export function routeOf(request: IncomingMessage): string | undefined {
  const { route } = request as { readonly route?: { readonly path: string } };
  return route?.path === NEST_NOT_FOUND ? undefined : route?.path;
}

/** Undefined for an unusual method. */
export function knownMethodOf({ method = '' }: IncomingMessage): string | undefined {
  return KNOWN_METHODS.has(method) ? method : undefined;
}

/** The path, decoded as the router does, so that ticket ids in any encoding can be masked. */
export function decodedPathOf(url: string | undefined): string {
  try {
    return decodeURIComponent(url?.split('?', 1)[0] ?? '');
  } catch {
    return 'not well-formed';
  }
}
