// Owns the life of a listening process: start, announcement, and an end that loses no request.
import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { INestApplication } from '@nestjs/common';
import { loggerFor } from '@tessera/logging';
import { Drain } from './drain.js';
import { listenErrorText, type ListenAddress } from './listen-error.js';
import { shutdownSignal, onShutdown } from './shutdown-signal.js';

const logger = loggerFor('server');

export interface ServeOptions extends ListenAddress {
  /** Where callers reach it; told to the parent process. */
  readonly baseUrl: string;
  /** Whether a newcomer finds what the tour is about; told to the parent process. No unless told. */
  readonly isDemo?: boolean;
  /** Whether the application runs its database itself; told to the parent process. No unless told. */
  readonly hasOwnDatabase?: boolean;
}

/** What a process tells its parent once it takes requests. */
export interface Announcement {
  /** Base URL. */
  readonly listening: string;
  readonly isDemo: boolean;
  readonly hasOwnDatabase: boolean;
}

/** Workers have other things to tell, too. */
export function isAnnouncement(message: unknown): message is Announcement {
  return typeof message === 'object' && message !== null && 'listening' in message;
}

/**
 * Listens, and tells the parent process so. SIGTERM, SIGINT, a terminal or a parent that is gone end it: requests that
 * were sent are answered, the application's own resources are closed, and the process exits with 0.
 * @throws Error with the address and the setting to change, where it cannot listen
 */
export async function serve(app: INestApplication, options: ServeOptions): Promise<void> {
  const server = app.getHttpServer() as Server;
  const drain = new Drain(server);
  // Told already, while it started: then it only closes what it has opened.
  if (!shutdownSignal().aborted) {
    await listen(app, server, options);
    const address = server.address() as AddressInfo;
    logger.info({ host: options.host, port: address.port }, 'listening');
    const { baseUrl, isDemo = false, hasOwnDatabase = false } = options;
    process.send?.({ listening: baseUrl, isDemo, hasOwnDatabase } satisfies Announcement);
  }
  onShutdown((cause) => void shutDown(app, drain, cause));
}

/** Without Nest's own listening, which logs a fault before it throws it. */
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

async function shutDown(app: INestApplication, drain: Drain, cause: string): Promise<void> {
  logger.info({ cause }, 'stopping');
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
