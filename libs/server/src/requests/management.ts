// Routes for operators, on a listener of their own. Requests of this listener get a prefix that no other request may have.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Answer, send } from '../answers/answer.js';

/** The first segment of the routes. Callers never see it. */
export const MANAGEMENT = '.management';

/** The path of a controller for operators. @param path as callers see it, without a slash at its beginning */
export function managementPath(path: string): string {
  return path === '' ? MANAGEMENT : `${MANAGEMENT}/${path}`;
}

const requests = new WeakSet<IncomingMessage>();

/** Whether a request came to the management listener. */
export function isManagementRequest(request: IncomingMessage): boolean {
  return requests.has(request);
}

/** Marks a request of the management listener, and adds the prefix to its URL. `originalUrl` stays what the caller sent. */
export function addManagementPrefix(request: IncomingMessage): void {
  const { url = '/' } = request;
  requests.add(request);
  // The target of a request to a proxy is a whole URL. @see RFC 9112 §3.2.2
  const { pathname, search } = URL.parse(url, 'http://localhost') ?? { pathname: '/', search: '' };
  Object.assign(request, {
    originalUrl: url,
    url: `/${MANAGEMENT}${url.startsWith('/') ? url : pathname + search}`,
  });
}

/** Middleware for the prefix: other requests find nothing below it. */
export function onlyForManagement(notFound: (request: IncomingMessage) => Answer) {
  return (request: IncomingMessage, response: ServerResponse, next: () => void): void => {
    if (isManagementRequest(request)) next();
    else send(response, notFound(request));
  };
}
