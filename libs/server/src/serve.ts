// Runs a listening server: start, ready message to the parent process, and graceful shutdown.
import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { INestApplication } from '@nestjs/common';
import { loggerFor } from '@tessera/logging';
import { Drain } from './drain.js';
import { onShutdown, shutdownSignal } from './shutdown-signal.js';

const logger = loggerFor('server');

interface ListenAddress {
  /** Prefix of the settings `host` and `port`, such as `sso`. */
  readonly application: string;
  readonly host: string;
  readonly port: number;
}

export interface ServeOptions extends ListenAddress {
  /** URL for callers; part of the ready message. */
  readonly baseUrl: string;
  /** Absolute URL of the page where people sign in, if there is one; part of the ready message. */
  readonly loginPage?: string | undefined;
  /** Whether the demo user and services of the tour exist; part of the ready message. Default false. */
  readonly isDemo?: boolean;
  /** Whether the application runs an embedded database; part of the ready message. Default false. */
  readonly hasOwnDatabase?: boolean;
}

/** The message to the parent process once the server listens. */
export interface ReadyMessage {
  /** Base URL. */
  readonly listening: string;
  readonly loginPage?: string | undefined;
  readonly isDemo: boolean;
  readonly hasOwnDatabase: boolean;
}

/** Distinguishes it from other messages of a worker. */
export function isReadyMessage(message: unknown): message is ReadyMessage {
  return typeof message === 'object' && message !== null && 'listening' in message;
}

/**
 * Listens and sends the ready message. On shutdown (SIGTERM, SIGINT, a closed terminal, a dead parent) it answers pending
 * requests, closes the application and exits with 0.
 * @throws Error with the address and the setting to change, where it cannot listen
 */
export async function serve(app: INestApplication, options: ServeOptions): Promise<void> {
  const server = app.getHttpServer() as Server;
  const drain = new Drain(server);
  // A shutdown that began during the start only closes the application.
  if (!shutdownSignal().aborted) {
    await listen(app, server, options);
    const address = server.address() as AddressInfo;
    logger.info({ host: options.host, port: address.port }, 'listening');
    const { baseUrl, loginPage, isDemo = false, hasOwnDatabase = false } = options;
    const message: ReadyMessage = { listening: baseUrl, loginPage, isDemo, hasOwnDatabase };
    process.send?.(message);
  }
  onShutdown((reason) => void shutDown(app, drain, reason));
}

/** Replaces `app.listen`, which logs an error before it throws it. */
async function listen(
  app: INestApplication,
  server: Server,
  address: ListenAddress,
): Promise<void> {
  try {
    await app.init();
    server.listen(address.port, address.host);
    await once(server, 'listening');
  } catch (error) {
    await app.close();
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    throw new Error(listenErrorText(code, address), { cause: error });
  }
}

async function shutDown(app: INestApplication, drain: Drain, reason: string): Promise<void> {
  logger.info({ cause: reason }, 'stopping');
  try {
    await drain.run();
    await app.close();
    logger.info({}, 'stopped');
    process.exit(0);
  } catch (error) {
    logger.error({ error }, 'stopping failed');
    process.exit(1);
  }
}

/** @param code of the system, such as `EADDRINUSE` */
export function listenErrorText(code: string, address: ListenAddress): string {
  const { host, port } = address;
  return `cannot listen on ${host}:${port}: ${listenErrorReason(code, address)}`;
}

function listenErrorReason(code: string, { application }: ListenAddress): string {
  const port = settingForms(application, 'port=<number>');
  const host = settingForms(application, 'host=<address>');
  switch (code) {
    case 'EADDRINUSE':
      return `the port is in use; choose another with ${port}`;
    case 'EACCES':
      return `this user may not use the port; choose one above 1023 with ${port}`;
    case 'EADDRNOTAVAIL':
      return `this machine has no such address; choose another with ${host}`;
    default:
      return code;
  }
}

/** How to give a setting of the application. @param setting `port=<number>` */
function settingForms(application: string, setting: string): string {
  const option = `--${application}.${setting}`;
  const [name = ''] = `${application}-${setting}`.split('=');
  const variable = name.toUpperCase().replaceAll('-', '_');
  return `${option} (npm start -- ${option}; in the environment ${variable})`;
}
