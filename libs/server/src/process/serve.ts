// Runs the listeners of a process: start, ready message to the parent process, and graceful shutdown.
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { loggerFor } from '@tessera/logging';
import { productVersion } from '@tessera/runtime';
import type { ApplicationHost, Listeners } from '../application/application-host.js';
import { Drain } from '../listeners/drain.js';
import { listenErrorText, type ListenAddress } from '../errors/listen-error.js';
import type { Listener } from '../listeners/listener.js';
import { onShutdown, shutdownSignal, untilDrainTimeIsOver } from './shutdown-signal.js';

const logger = loggerFor('server');

/** Operators and Prometheus need few. */
const MAX_MANAGEMENT_CONNECTIONS = 128;

export interface ServeOptions extends ListenAddress {
  readonly listeners: Listeners;
  /** URL for callers; part of the ready message. */
  readonly baseUrl: string;
  /** Absolute URL of the page where people sign in, if there is one; part of the ready message. */
  readonly loginPage?: string | undefined;
  /** Of OpenID Connect, if it is on; part of the ready message. */
  readonly issuer?: string | undefined;
  /** Absolute URL of the page for operators, if there is one; part of the ready message. */
  readonly console?: string | undefined;
  /** Whether the demo user and services of the tour exist; part of the ready message. Default false. */
  readonly isDemo?: boolean;
  /** Whether the application runs an embedded database; part of the ready message. Default false. */
  readonly hasOwnDatabase?: boolean;
  /** Where the management listener listens: before the public one, and until its last request has been answered. */
  readonly management?: ListenAddress | undefined;
  /** Called after the application has closed, before the process exits. It must not fail. */
  readonly beforeExit?: (() => Promise<void>) | undefined;
}

/** The message to the parent process once the server listens. */
export interface ReadyMessage {
  /** Base URL. */
  readonly listening: string;
  readonly loginPage?: string | undefined;
  readonly issuer?: string | undefined;
  readonly console?: string | undefined;
  readonly isDemo: boolean;
  readonly hasOwnDatabase: boolean;
  /** URL of the management listener, if there is one. */
  readonly management?: string | undefined;
}

/** Distinguishes it from other messages of a worker. */
export function isReadyMessage(message: unknown): message is ReadyMessage {
  return typeof message === 'object' && message !== null && 'listening' in message;
}

/**
 * Listens and sends the ready message. On shutdown (SIGTERM, SIGINT, a closed terminal, a dead parent) it serves on for the
 * drain time, answers pending requests, closes the application and exits with 0.
 * @param host has started
 * @throws Error with the address and the setting to change, where it cannot listen
 */
export async function serve(host: ApplicationHost<never>, options: ServeOptions): Promise<void> {
  const { listeners, beforeExit } = options;
  const drain = new Drain(listeners.public.server);
  // A shutdown that began during the start only closes the application.
  if (!shutdownSignal().aborted) await start(host, options);
  onShutdown((reason) => void shutDown(host, { drain, listeners, beforeExit, reason }));
}

/** Listens and sends the ready message. Leaves nothing open when it fails. */
async function start(host: ApplicationHost<never>, options: ServeOptions): Promise<void> {
  const { listeners, management } = options;
  const { server } = listeners.public;
  try {
    if (management !== undefined) await listenForManagement(listeners.management, management);
    await listen(listeners.public, options);
  } catch (error) {
    closeManagement(listeners);
    await host.close();
    throw error;
  }
  const { port } = server.address() as AddressInfo;
  const { maxConnections } = server;
  const { host: address } = options;
  logger.info({ host: address, maxConnections, version: productVersion(), port }, 'listening');
  const { baseUrl, loginPage, issuer, console, isDemo = false, hasOwnDatabase = false } = options;
  const message: ReadyMessage = {
    listening: baseUrl,
    loginPage,
    issuer,
    console,
    isDemo,
    hasOwnDatabase,
    management: management && urlOf(management),
  };
  process.send?.(message);
}

/**
 * Replaces `app.listen`, which logs an error before it throws it.
 * @throws Error with the address and the setting to change
 */
async function listen({ server }: Listener, address: ListenAddress): Promise<void> {
  try {
    server.listen(address.port, address.host);
    await once(server, 'listening');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    throw new Error(listenErrorText(code, address), { cause: error });
  }
}

/** @throws Error with the address and the setting to change */
export async function listenForManagement(
  listener: Listener | undefined,
  address: ListenAddress,
): Promise<void> {
  if (listener === undefined) return;
  const { server } = listener;
  server.maxConnections = Math.min(server.maxConnections, MAX_MANAGEMENT_CONNECTIONS);
  await listen(listener, address);
  logger.info({ host: address.host, port: address.port }, 'the management server is listening');
}

/** Of the management listener. */
export function urlOf({ host, port }: ListenAddress): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

export function closeManagement({ management }: Pick<Listeners, 'management'>): void {
  management?.server.close();
  management?.server.closeAllConnections();
}

interface Running {
  readonly drain: Drain;
  readonly listeners: Listeners;
  readonly beforeExit: ServeOptions['beforeExit'];
  readonly reason: string;
}

/** The management listener answers until the last request of the application has been answered. */
async function shutDown(
  host: ApplicationHost<never>,
  { drain, listeners, beforeExit, reason }: Running,
): Promise<void> {
  logger.info({ cause: reason }, 'stopping');
  try {
    await drain.run(untilDrainTimeIsOver());
    closeManagement(listeners);
    await host.close();
    await beforeExit?.();
    logger.info({}, 'stopped');
    process.exit(0);
  } catch (error) {
    logger.error({ error }, 'stopping failed');
    process.exit(1);
  }
}
