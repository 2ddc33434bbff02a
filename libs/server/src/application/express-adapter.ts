// The Nest adapter for Express: it sends answers, on sockets that outlive the application.
import type { IncomingMessage, RequestListener } from 'node:http';
import type { Socket } from 'node:net';
import { ExpressAdapter } from '@nestjs/platform-express';
import express, { type Express, type Response } from 'express';
import { Answer, send, UNCACHED } from '../answers/answer.js';
import { Connections } from '../listeners/connections.js';
import type { Listener } from '../listeners/listener.js';
import { addManagementPrefix } from '../requests/management.js';
import { type ErrorRenderer, renderPlainText } from '../requests/request-errors.filter.js';
import { headCheck } from '../requests/request-head.js';

/** After {@link AnswerAdapter.drain} has begun: for the rest of a request's body, and for an answer. */
const BODY_LIMIT_MS = 2_000;
const ANSWER_LIMIT_MS = 60_000;

export class AnswerAdapter extends ExpressAdapter {
  private readonly check: ReturnType<typeof headCheck>;
  /** The number of requests without a complete answer. */
  private pending = 0;
  /** The request that a connection waits for. A set of requests would keep answered ones in memory: see ADR 0030. */
  private readonly requests = new WeakMap<Socket, IncomingMessage | undefined>();
  private onIdle = (): void => {};

  /** @param isShared whether the socket stays open for the next application */
  constructor(
    private readonly listener: Listener,
    renderError: ErrorRenderer = renderPlainText,
    private readonly isShared = false,
  ) {
    super(minimalExpress());
    this.check = headCheck(renderError);
    if (!isShared) listener.serve(this.handle);
  }

  /** Sends an answer as it is, and other results of handlers as JSON; they are not cached either. */
  override reply(response: Response, body: unknown, status?: number): void {
    if (body instanceof Answer) return send(response, body);
    for (const [name, value] of Object.entries(UNCACHED)) {
      if (!response.hasHeader(name)) response.setHeader(name, value);
    }
    super.reply(response, body, status);
  }

  override initHttpServer(): void {
    this.httpServer = this.listener.server;
  }

  override async close(): Promise<undefined> {
    if (!this.isShared) await super.close();
  }

  /** Answers a request of the public listener. */
  readonly handle: RequestListener = (request, response) => {
    const { socket } = request;
    this.pending += 1;
    this.requests.set(socket, request);
    response.once('close', () => this.forget(socket));
    // The head is checked before Express, which skips its middleware for some targets.
    this.check(request, response, () => this.getInstance<RequestListener>()(request, response));
  };

  /** Answers a request of the management listener. */
  readonly handleManagement: RequestListener = (request, response) => {
    addManagementPrefix(request);
    this.handle(request, response);
  };

  /**
   * Resolves when all requests have been answered. Call it when no listener gives it new ones. A caller that does not send
   * the rest of its body, or does not read its answer, is disconnected: it must not keep an application that has been replaced.
   *
   * @param servers those whose connections have the requests
   */
  async drain(servers: readonly Listener['server'][]): Promise<void> {
    if (this.pending === 0) return;
    const { promise, resolve } = Promise.withResolvers<undefined>();
    this.onIdle = () => resolve(undefined);
    const disconnect = (isLate: (request: IncomingMessage) => boolean): void => {
      for (const socket of servers.flatMap((server) => [...Connections.of(server)])) {
        const request = this.requests.get(socket);
        if (request !== undefined && isLate(request)) socket.destroy();
      }
    };
    const timers = [
      setTimeout(() => disconnect(({ complete }) => !complete), BODY_LIMIT_MS),
      setTimeout(() => disconnect(() => true), ANSWER_LIMIT_MS),
    ];
    await promise;
    timers.forEach((timer) => clearTimeout(timer));
  }

  private forget(socket: Socket): void {
    this.pending -= 1;
    this.requests.set(socket, undefined);
    if (this.pending === 0) this.onIdle();
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
