// Drains a server on shutdown: answers requests that were sent, then closes idle connections.
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Server as HttpsServer } from 'node:https';
import { Server as SocketServer, type Socket } from 'node:net';
import { Connections } from './connections.js';

/**
 * Connections are closed after this time without traffic. A request may be on its way: a busy caller is slow to send, and
 * one that has just been answered sends again.
 */
const IDLE_TIMEOUT_MS = 1_000;
const CHECK_INTERVAL_MS = 50;
/** Requests that take longer are aborted. */
const DRAIN_TIMEOUT_MS = 8_000;

export class Drain {
  private readonly connections: Connections;

  /** Bytes read and written on each connection at the last check. */
  private readonly byteCounts = new WeakMap<Socket, number>();
  private idleSince = 0;

  /** From now on it knows the connections of the server. */
  constructor(private readonly server: Server | HttpsServer) {
    this.connections = Connections.of(server);
  }

  /**
   * From now on answers carry `Connection: close`. After the drain time it stops accepting connections, and closes those that
   * are idle. Returns when none is left.
   *
   * @param drainTimeOver resolves when callers have had the time to use other nodes
   * @param limit milliseconds after the drain time, after which every connection is closed
   */
  async run(
    drainTimeOver: Promise<unknown> = Promise.resolve(),
    limit = DRAIN_TIMEOUT_MS,
  ): Promise<void> {
    if (!this.server.listening) return;
    this.server.prependListener('request', setConnectionClose);
    await drainTimeOver;
    this.idleSince = performance.now();
    const checking = setInterval(() => this.checkIdle(), CHECK_INTERVAL_MS);
    const timeout = setTimeout(() => this.closeAll(), limit);
    await this.close();
    clearInterval(checking);
    clearTimeout(timeout);
  }

  /** Uses net.Server's close: the one of http.Server closes idle connections at once, and loses requests on their way. */
  private close(): Promise<void> {
    return new Promise((resolve) => {
      SocketServer.prototype.close.call(this.server, () => resolve());
    });
  }

  /** Node would leave out connections in their handshake. */
  private closeAll(): void {
    for (const socket of this.connections) socket.destroy();
  }

  /** Node closes all idle connections or none, so this waits until there is no traffic on any of them. */
  private checkIdle(): void {
    const now = performance.now();
    for (const socket of this.connections) {
      const bytes = socket.bytesRead + socket.bytesWritten;
      if (this.byteCounts.get(socket) !== bytes) this.idleSince = now;
      this.byteCounts.set(socket, bytes);
    }
    if (now - this.idleSince >= IDLE_TIMEOUT_MS) this.connections.closeIdle();
  }
}

function setConnectionClose(_request: IncomingMessage, response: ServerResponse): void {
  response.setHeader('Connection', 'close');
}
