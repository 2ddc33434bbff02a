// Owns the HTTP server below Nest: Express without what ours has no use for, its limits, and an id for each request.
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
import type { FaultWording } from './request-errors.filter.js';
import { faultOfHead } from './request-head.js';
import type { HttpsListener } from './tls/https-listener.js';

const logger = loggerFor('http');
const REQUEST_ID_LENGTH = 16;

/** A caller that sends slowly or never ends is cut off; a quiet connection outlives the usual load balancer's. */
const LIMITS: ServerOptions = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  keepAliveTimeout: 75_000,
  // Node looks every 30 s unless told, which would stretch the limits so far.
  connectionsCheckingInterval: 2_000,
  // Requests without a body have ended when they come, and their streams say nothing. `readBody` knows.
  optimizeEmptyRequests: true,
};

/** Nest's way to Express, over a server of our own. */
export class LeanExpressAdapter extends ExpressAdapter {
  private readonly application: Express;
  private readonly routes = new DirectRoutes();

  /** @param https in place of plain HTTP */
  constructor(
    private readonly wording: FaultWording,
    private readonly https?: HttpsListener,
  ) {
    const application = leanExpress();
    super(application);
    this.application = application;
  }

  override initHttpServer(): void {
    const options = { ...LIMITS, ...messageClasses(this.application) };
    const listener = identified(
      withGoodHead(this.wording, directed(this.routes, this.application)),
    );
    this.httpServer = this.https
      ? this.https.createServer(options, listener)
      : createServer(options, listener);
  }

  override get(...route: unknown[]): unknown {
    return super.get(...this.learned('GET', route));
  }

  override post(...route: unknown[]): unknown {
    return super.post(...this.learned('POST', route));
  }

  override all(...route: unknown[]): unknown {
    return super.all(...this.learned('ALL', route));
  }

  /** Middleware is asked by the router alone. */
  override use(...middleware: unknown[]): unknown {
    this.routes.close();
    return super.use(...middleware);
  }

  /** Nest gives every route as a path and one handler. */
  private learned(method: RouteMethod, route: unknown[]): [string, RouteHandler] {
    const [path, handler] = route as [string, RouteHandler];
    this.routes.add(method, path, handler);
    return [path, handler];
  }
}

/**
 * Set before Nest adds its first route: the router keeps what it finds then. Paths are told apart by case, so that rules
 * for a path in a proxy in front cannot be passed by in capitals.
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
 * Requests and responses that have Express's prototypes from the start. It would change them as each arrives, and code
 * compiled for the objects Node knows would fit them no longer, for the rest of their way.
 */
function messageClasses(application: Express): ServerOptions {
  class OwnRequest extends IncomingMessage {
    /** Of the path; the router puts others here. */
    params = {};
    res = undefined;
  }
  class OwnResponse<For extends IncomingMessage> extends ServerResponse<For> {}
  application.request = adopt(OwnRequest, application.request);
  application.response = adopt(OwnResponse, application.response);
  return { IncomingMessage: OwnRequest, ServerResponse: OwnResponse };
}

/** Puts the class's prototype in the place of the application's. */
function adopt<Prototype extends object>(
  { prototype }: { readonly prototype: object },
  own: Prototype,
): Prototype {
  return Object.setPrototypeOf(prototype, own) as Prototype;
}

/** Routes that are found at a look are called at once; Express is asked for the others. */
function directed(routes: DirectRoutes, application: Express): RequestListener {
  return (request, response) => {
    const handler = routes.find(request);
    if (!handler) {
      application(request, response);
      return;
    }
    // Express's own ways to answer look for it there.
    (request as Request).res = response as Response;
    Promise.resolve(handler(request, response)).catch((error: unknown) => {
      logger.error({ error }, 'an error could not be answered');
      response.destroy();
    });
  };
}

/**
 * Gives each request an id that its log lines carry, and at level debug writes a line for it. Done around Express, which
 * would make every request pay for one more layer of its router.
 */
function identified(handle: RequestListener): RequestListener {
  return (request, response) => {
    withRequestId(newRequestId, () => {
      if (logger.isEnabled('debug')) logWhenAnswered(request, response);
      handle(request, response);
    });
  };
}

/**
 * Answers requests with a bad head itself, whatever they ask for, and closes their connection. Requests that came behind
 * one of them in the same packet are dropped: another server could read them as part of it.
 */
function withGoodHead(wording: FaultWording, handle: RequestListener): RequestListener {
  const refused = new WeakSet<Socket>();
  return (request, response) => {
    if (refused.has(request.socket)) return;
    const fault = faultOfHead(request);
    if (fault) {
      refused.add(request.socket);
      send(response, wording(fault, request));
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
    const path = decoded(url?.split('?', 1)[0] ?? '');
    logger.debug({ method, path, status: response.statusCode, milliseconds }, 'request');
  });
}

/** As the router reads it, so that no spelling of a ticket's id passes by what masks it. */
function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return 'not well-formed';
  }
}
