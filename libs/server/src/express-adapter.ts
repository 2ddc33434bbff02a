// The Nest adapter for Express: server limits, request ids, and fewer layers for each request.
import {
  createServer,
  IncomingMessage,
  ServerResponse,
  type RequestListener,
  type ServerOptions,
} from 'node:http';
import type { Socket } from 'node:net';
import { ExpressAdapter } from '@nestjs/platform-express';
import express, { type Express, type Request, type Response } from 'express';
import { randomId } from '@tessera/crypto';
import { loggerFor, withRequestId } from '@tessera/logging';
import { send } from './answer.js';
import { DirectRoutes, type RouteHandler, type RouteMethod } from './direct-routes.js';
import type { ErrorRenderer } from './request-errors.filter.js';
import { checkHead } from './request-head.js';
import type { HttpsListener } from './tls/https-listener.js';

const logger = loggerFor('http');
const REQUEST_ID_LENGTH = 16;

/** Slow requests are aborted; the keep-alive timeout is longer than that of usual load balancers. */
const LIMITS: ServerOptions = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  keepAliveTimeout: 75_000,
  // The default of 30 s would extend the timeouts by as much.
  connectionsCheckingInterval: 2_000,
  // The stream of a request without a body has ended from the start and emits no events; `readBody` handles this.
  optimizeEmptyRequests: true,
};

export class LeanExpressAdapter extends ExpressAdapter {
  private readonly application: Express;
  private readonly routes = new DirectRoutes();

  /** @param https instead of plain HTTP */
  constructor(
    private readonly renderError: ErrorRenderer,
    private readonly https?: HttpsListener,
  ) {
    const application = leanExpress();
    super(application);
    this.application = application;
  }

  override initHttpServer(): void {
    const options = { ...LIMITS, ...messageClasses(this.application) };
    const listener = withRequestIds(
      withHeadCheck(this.renderError, withDirectRoutes(this.routes, this.application)),
    );
    this.httpServer = this.https
      ? this.https.createServer(options, listener)
      : createServer(options, listener);
  }

  override get(...route: unknown[]): unknown {
    return super.get(...this.register('GET', route));
  }

  override post(...route: unknown[]): unknown {
    return super.post(...this.register('POST', route));
  }

  override all(...route: unknown[]): unknown {
    return super.all(...this.register('ALL', route));
  }

  /** Only the router calls middleware. */
  override use(...middleware: unknown[]): unknown {
    this.routes.close();
    return super.use(...middleware);
  }

  /** Nest registers every route as a path and one handler. */
  private register(method: RouteMethod, route: unknown[]): [string, RouteHandler] {
    const [path, handler] = route as [string, RouteHandler];
    this.routes.add(method, path, handler);
    return [path, handler];
  }
}

/**
 * The router copies these settings at the first route, so they are set here. Paths are case-sensitive, so that capitals do
 * not bypass a proxy's rules for a path.
 */
function leanExpress(): Express {
  const application = express();
  application.enable('case sensitive routing');
  for (const name of ['etag', 'x-powered-by', 'query parser', 'trust proxy']) {
    application.disable(name);
  }
  return application;
}

/**
 * Requests and responses that have Express's prototypes from the start. Express would change the prototype of each, which
 * makes V8 deoptimise the code that handles them.
 */
function messageClasses(application: Express): ServerOptions {
  class DirectRequest extends IncomingMessage {
    /** Path parameters; the router replaces them. */
    params = {};
    res = undefined;
  }
  class DirectResponse<For extends IncomingMessage> extends ServerResponse<For> {}
  application.request = insertPrototype(DirectRequest, application.request);
  application.response = insertPrototype(DirectResponse, application.response);
  return { IncomingMessage: DirectRequest, ServerResponse: DirectResponse };
}

/** Makes the class inherit from the application's prototype. */
function insertPrototype<Prototype extends object>(
  { prototype }: { readonly prototype: object },
  own: Prototype,
): Prototype {
  return Object.setPrototypeOf(prototype, own) as Prototype;
}

/** Calls the handlers of direct routes; Express handles all other requests. */
function withDirectRoutes(routes: DirectRoutes, application: Express): RequestListener {
  return (request, response) => {
    const handler = routes.find(request);
    if (!handler) {
      application(request, response);
      return;
    }
    // Methods of Express's response expect it there.
    (request as Request).res = response as Response;
    Promise.resolve(handler(request, response)).catch((error: unknown) => {
      logger.error({ error }, 'sending an error answer failed');
      response.destroy();
    });
  };
}

/**
 * Gives each request an id for its log lines, and logs it at level debug. This wraps Express, since middleware would cost
 * every request a router layer.
 */
function withRequestIds(handle: RequestListener): RequestListener {
  return (request, response) => {
    withRequestId(newRequestId, () => {
      if (logger.isEnabled('debug')) logWhenAnswered(request, response);
      handle(request, response);
    });
  };
}

/**
 * Refuses requests with an invalid head and closes their connection. Later requests on it are dropped: another server could
 * read them as part of the first.
 */
function withHeadCheck(renderError: ErrorRenderer, handle: RequestListener): RequestListener {
  const refused = new WeakSet<Socket>();
  return (request, response) => {
    if (refused.has(request.socket)) return;
    const error = checkHead(request);
    if (error) {
      refused.add(request.socket);
      send(response, renderError(error, request));
    } else handle(request, response);
  };
}

function newRequestId(): string {
  return randomId(REQUEST_ID_LENGTH);
}

function logWhenAnswered(request: IncomingMessage, response: ServerResponse): void {
  const started = performance.now();
  const { method, url } = request;
  response.once('close', () => {
    const milliseconds = Math.round(performance.now() - started);
    const path = decodePath(url?.split('?', 1)[0] ?? '');
    logger.debug({ method, path, status: response.statusCode, milliseconds }, 'request');
  });
}

/** Decodes the path as the router does, so that ticket ids in any encoding are masked. */
function decodePath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return 'not well-formed';
  }
}
