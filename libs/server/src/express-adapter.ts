// The Nest adapter for Express: it sends answers, limits slow requests, and reloads TLS certificates.
import { createServer, type RequestListener, type ServerOptions } from 'node:http';
import { ExpressAdapter } from '@nestjs/platform-express';
import express, { type Express, type Response } from 'express';
import { Answer, send, UNCACHED } from './answer.js';
import { limitConnections } from './connections.js';
import { renderPlainText, type ErrorRenderer } from './request-errors.filter.js';
import { oneAtATime } from './pipelining.js';
import { headCheck } from './request-head.js';
import type { HttpsListener } from './tls/https-listener.js';

/** Slow requests are aborted; the keep-alive timeout is longer than that of usual load balancers. */
const LIMITS: ServerOptions = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  keepAliveTimeout: 75_000,
  // The default of 30 s would extend the timeouts by as much.
  connectionsCheckingInterval: 2_000,
};

export class AnswerAdapter extends ExpressAdapter {
  /** @param https instead of plain HTTP */
  constructor(
    private readonly renderError: ErrorRenderer = renderPlainText,
    private readonly https?: HttpsListener,
  ) {
    super(minimalExpress());
  }

  /** Sends an answer as it is, and other results of handlers as JSON; they are not cached either. */
  override reply(response: Response, body: unknown, status?: number): void {
    if (body instanceof Answer) return send(response, body);
    for (const [name, value] of Object.entries(UNCACHED)) {
      if (!response.hasHeader(name)) response.setHeader(name, value);
    }
    super.reply(response, body, status);
  }

  /** Checks the head before Express, which skips its middleware for some targets. */
  override initHttpServer(): void {
    const check = headCheck(this.renderError);
    const application = this.getInstance<RequestListener>();
    const listener = oneAtATime((request, response) =>
      check(request, response, () => application(request, response)),
    );
    const server = this.https?.createServer(LIMITS, listener) ?? createServer(LIMITS, listener);
    limitConnections(server);
    // Node would answer an unknown Expect itself, and keep the connection.
    server.on('checkExpectation', listener);
    this.httpServer = server;
  }
}

/**
 * The router copies these settings at the first route, so they are set here. Paths are case-sensitive, so that capitals do
 * not bypass a proxy's rules for a path.
 */
function minimalExpress(): Express {
  const application = express();
  application.enable('case sensitive routing');
  for (const name of ['etag', 'x-powered-by', 'query parser', 'trust proxy']) {
    application.disable(name);
  }
  return application;
}
