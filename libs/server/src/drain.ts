// Owns the last moments of a server's connections: what was sent is answered, and silence holds nobody up.
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Server as HttpsServer } from 'node:https';
import { Server as SocketServer, type Socket } from 'node:net';
import { Server as TlsServer, TLSSocket } from 'node:tls';

/**
 * How long a request that is on its way over a quiet connection may take to arrive; a busy caller is slow to send, and one
 * that has just been answered sends again.
 */
const LINGER = 1_000;
const SWEEP_INTERVAL = 50;
/** Requests that run longer are cut off. */
const DRAIN_LIMIT = 8_000;

/** Knows the connections of a server from its creation on. */
export class Drain {
  /** By the peer's address and port: a connection that speaks TLS shows a second time, when its handshake is done. */
  private readonly connections = new Map<string, Socket>();

  /** Bytes in and out of a connection when it was last looked at. */
  private readonly moved = new WeakMap<Socket, number>();
  private quietSince = 0;

  constructor(private readonly server: Server | HttpsServer) {
    const know = (socket: Socket): void => {
      const peer = `${socket.remoteAddress} ${socket.remotePort}`;
      this.connections.set(peer, socket);
      socket.once('close', () => {
        if (this.connections.get(peer) === socket) this.connections.delete(peer);
      });
    };
    server.on('connection', know);
    server.on('secureConnection', know);
  }

  /**
   * Takes no new connection, and lets the callers on the others go: each answer says that it is the last of its
   * connection, then connections without a request are closed. Returns when there is none left.
   */
  async run(): Promise<void> {
    if (!this.server.listening) return;
    this.server.prependListener('request', sayLast);
    this.quietSince = performance.now();
    const sweeping = setInterval(() => this.sweep(), SWEEP_INTERVAL);
    const late = setTimeout(() => this.server.closeAllConnections(), DRAIN_LIMIT);
    await this.close();
    clearInterval(sweeping);
    clearTimeout(late);
  }

  /** As every server closes. An HTTP server's own way is to cut quiet connections at once, with what is sent on them. */
  private close(): Promise<void> {
    return new Promise((resolve) => {
      SocketServer.prototype.close.call(this.server, () => resolve());
    });
  }

  /** Node closes all quiet connections or none, so it waits until nothing has moved on any of them. */
  private sweep(): void {
    const now = performance.now();
    for (const socket of this.connections.values()) {
      const moved = socket.bytesRead + socket.bytesWritten;
      if (this.moved.get(socket) !== moved) this.quietSince = now;
      this.moved.set(socket, moved);
    }
    if (now - this.quietSince >= LINGER) this.closeQuiet();
  }

  /** Node counts a connection on which nothing was ever sent as busy, and one whose handshake hangs not at all. */
  private closeQuiet(): void {
    this.server.closeIdleConnections();
    for (const socket of this.connections.values()) {
      const isHandshaking = this.server instanceof TlsServer && !(socket instanceof TLSSocket);
      if (isHandshaking || socket.bytesRead === 0) socket.destroy();
    }
  }
}

function sayLast(_request: IncomingMessage, response: ServerResponse): void {
  response.setHeader('Connection', 'close');
}
