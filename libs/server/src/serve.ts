// Runs a listening server: start, ready message to the parent process, and graceful shutdown.
import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { INestApplication } from '@nestjs/common';
import { loggerFor } from '@tessera/logging';
import { Drain } from './drain.js';
import { onShutdown, shutdownSignal } from './shutdown-signal.js';

const logger = loggerFor('server');

export interface ListenAddress {
  /** Prefix of the settings `host` and `port`, such as `sso`; `sso.management` of the management server. */
  readonly application: string;
  readonly host: string;
  readonly port: number;
}

export interface ServeOptions extends ListenAddress {
  /** URL for callers; part of the ready message. */
  readonly baseUrl: string;
  /** Absolute URL of the page where people sign in, if there is one; part of the ready message. */
  readonly loginPage?: string | undefined;
  /** Absolute URL of the page for operators, if there is one; part of the ready message. */
  readonly console?: string | undefined;
  /** Whether the demo user and services of the tour exist; part of the ready message. Default false. */
  readonly isDemo?: boolean;
  /** Whether the application runs an embedded database; part of the ready message. Default false. */
  readonly hasOwnDatabase?: boolean;
  /** Opens the management server before the application listens. It closes after the last request of the application. */
  readonly openManagement?: (() => Promise<ManagementServer>) | undefined;
  /** Called after the application has closed, before the process exits. It must not fail. */
  readonly beforeExit?: (() => Promise<void>) | undefined;
}

/** A management server that listens. */
export interface ManagementServer {
  /** URL for operators; part of the ready message. */
  readonly url: string;
  close(): Promise<void>;
}

/** The message to the parent process once the server listens. */
export interface ReadyMessage {
  /** Base URL. */
  readonly listening: string;
  readonly loginPage?: string | undefined;
  readonly console?: string | undefined;
  readonly isDemo: boolean;
  readonly hasOwnDatabase: boolean;
  /** URL of the management server, if there is one. */
  readonly management?: string | undefined;
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
  const management = shutdownSignal().aborted ? undefined : await start(app, server, options);
  const { beforeExit } = options;
  onShutdown((reason) => void shutDown(app, { drain, management, beforeExit, reason }));
}

/** Listens and sends the ready message. Leaves nothing open when it fails. */
async function start(
  app: INestApplication,
  server: Server,
  options: ServeOptions,
): Promise<ManagementServer | undefined> {
  let management: ManagementServer | undefined;
  try {
    management = await options.openManagement?.();
    await app.init();
    await listen(server, options);
  } catch (error) {
    await management?.close();
    await app.close();
    throw error;
  }
  const address = server.address() as AddressInfo;
  const { maxConnections } = server;
  logger.info({ host: options.host, maxConnections, port: address.port }, 'listening');
  const { baseUrl, loginPage, console, isDemo = false, hasOwnDatabase = false } = options;
  const message: ReadyMessage = {
    listening: baseUrl,
    loginPage,
    console,
    isDemo,
    hasOwnDatabase,
    management: management?.url,
  };
  process.send?.(message);
  return management;
}

/**
 * Replaces `app.listen`, which logs an error before it throws it.
 * @throws Error with the address and the setting to change
 */
export async function listen(server: Server, address: ListenAddress): Promise<void> {
  try {
    server.listen(address.port, address.host);
    await once(server, 'listening');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    throw new Error(listenErrorText(code, address), { cause: error });
  }
}

interface Running {
  readonly drain: Drain;
  readonly management: ManagementServer | undefined;
  readonly beforeExit: ServeOptions['beforeExit'];
  readonly reason: string;
}

/** The management server answers until the last request of the application has been answered. */
async function shutDown(
  app: INestApplication,
  { drain, management, beforeExit, reason }: Running,
): Promise<void> {
  logger.info({ cause: reason }, 'stopping');
  try {
    await drain.run();
    await management?.close();
    await app.close();
    await beforeExit?.();
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
  // The host of the management servers is one setting for both applications.
  const prefix = setting.startsWith('host')
    ? application.replace(/^.*\.management$/, 'management')
    : application;
  const option = `--${prefix}.${setting}`;
  const [name = ''] = `${prefix}-${setting}`.split('=');
  const variable = name.toUpperCase().replaceAll(/[-.]/g, '_');
  return `${option} (npm start -- ${option}; in the environment ${variable})`;
}
