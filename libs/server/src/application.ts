// Owns making a Nest application on Express as lean as ours needs it. Routes and features are the applications'.
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { DynamicModule, Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ExpressAdapter, type NestExpressApplication } from '@nestjs/platform-express';
import express from 'express';
import { randomId } from '@tessera/crypto';
import { loggerFor, nestLogger, withRequestId } from '@tessera/logging';
import { send, text } from './answer.js';
import { RequestErrorsFilter, type IsTemporary } from './request-errors.filter.js';

const logger = loggerFor('http');
const REQUEST_ID_LENGTH = 16;

export interface ApplicationOptions {
  /** Path all routes lie below, such as `/cas`; empty for none. */
  readonly contextPath: string;
  readonly isTemporary: IsTemporary;
}

/**
 * Creates the application without listening. Bodies are read by the routes that take them, so none is parsed here;
 * nothing is added to answers; faults become plain text.
 */
export async function createApplication(
  module: Type | DynamicModule,
  options: ApplicationOptions,
): Promise<NestExpressApplication> {
  const app = await NestFactory.create<NestExpressApplication>(module, leanExpress(), {
    bodyParser: false,
    logger: nestLogger(),
    abortOnError: false,
  });
  if (options.contextPath !== '') app.setGlobalPrefix(options.contextPath);
  app.useGlobalFilters(new RequestErrorsFilter(options.isTemporary));
  identifyRequests(app.getHttpServer());
  limitConnections(app.getHttpServer());
  await app.init();
  app.use(answerNotFound);
  return app;
}

/**
 * Set before Nest adds its first route: the router keeps what it finds then. Paths are told apart by case, so that rules
 * for a path in a proxy in front cannot be passed by in capitals.
 */
function leanExpress(): ExpressAdapter {
  const application = express();
  application.enable('case sensitive routing');
  for (const name of ['etag', 'x-powered-by', 'query parser', 'trust proxy']) {
    application.disable(name);
  }
  return new ExpressAdapter(application);
}

/**
 * Gives each request an id that its log lines carry, and at level debug writes a line for it. Done around Express, which
 * would make every request pay for one more layer of its router.
 */
function identifyRequests(server: Server): void {
  const [handle] = server.listeners('request') as RequestListener[];
  if (handle === undefined) throw new Error('the application does not listen to its server');
  server.removeAllListeners('request');
  server.on('request', (request, response) => {
    withRequestId(randomId(REQUEST_ID_LENGTH), () => {
      if (logger.isEnabled('debug')) logWhenAnswered(request, response);
      handle(request, response);
    });
  });
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

/** Also outside the context path, where Nest has no route and Express would answer with a page of its own. */
function answerNotFound(_request: IncomingMessage, response: ServerResponse): void {
  send(response, text(404, 'Not found'));
}

/** A caller that sends slowly or never ends is cut off; a quiet connection outlives the usual load balancer's. */
function limitConnections(server: Server & { connectionsCheckingInterval?: number }): void {
  // Read when the server begins to listen; Node looks every 30 s unless told, which would stretch the limits so far.
  server.connectionsCheckingInterval = 2_000;
  server.headersTimeout = 10_000;
  server.requestTimeout = 30_000;
  server.keepAliveTimeout = 75_000;
}
