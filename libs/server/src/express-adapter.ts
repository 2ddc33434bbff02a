// Owns the HTTP server below Nest: Express without what ours has no use for, its limits, and an id for each request.
import {
  createServer,
  IncomingMessage,
  ServerResponse,
  type RequestListener,
  type ServerOptions,
} from 'node:http';
import { ExpressAdapter } from '@nestjs/platform-express';
import express, { type Express } from 'express';
import { randomId } from '@tessera/crypto';
import { loggerFor, withRequestId } from '@tessera/logging';
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
};

/** Nest's way to Express, over a server of our own. */
export class LeanExpressAdapter extends ExpressAdapter {
  private readonly application: Express;

  /** @param https in place of plain HTTP */
  constructor(private readonly https?: HttpsListener) {
    const application = leanExpress();
    super(application);
    this.application = application;
  }

  override initHttpServer(): void {
    const options = { ...LIMITS, ...messageClasses(this.application) };
    const listener = identified(this.application);
    this.httpServer = this.https
      ? this.https.createServer(options, listener)
      : createServer(options, listener);
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
  class Request extends IncomingMessage {}
  class Response<For extends IncomingMessage> extends ServerResponse<For> {}
  application.request = adopt(Request, application.request);
  application.response = adopt(Response, application.response);
  return { IncomingMessage: Request, ServerResponse: Response };
}

/** Puts the class's prototype in the place of the application's. */
function adopt<Prototype extends object>(
  { prototype }: { readonly prototype: object },
  own: Prototype,
): Prototype {
  return Object.setPrototypeOf(prototype, own) as Prototype;
}

/**
 * Gives each request an id that its log lines carry, and at level debug writes a line for it. Done around Express, which
 * would make every request pay for one more layer of its router.
 */
function identified(handle: RequestListener): RequestListener {
  return (request, response) => {
    withRequestId(randomId(REQUEST_ID_LENGTH), () => {
      if (logger.isEnabled('debug')) logWhenAnswered(request, response);
      handle(request, response);
    });
  };
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
