// Bounds the connections of a server: how many are open, and for how long a caller may leave an answer unread.
import type { Server } from 'node:http';
import type { Server as HttpsServer } from 'node:https';
import type { Socket } from 'node:net';
import { Server as TlsServer, TLSSocket } from 'node:tls';
import { loggerFor } from '@tessera/logging';
import { EventChannel, maxOpenFiles } from '@tessera/runtime';

const logger = loggerFor('server');

/** The rest of the file descriptors is for the database, outgoing calls, files and the management server. */
const SHARE_OF_OPEN_FILES = 0.75;
const MAX_CONNECTIONS = 16_384;
/** Of the maximum. From here on, idle connections make room for new ones. */
const CROWDED = 0.9;
const MAKE_ROOM_INTERVAL_MS = 1_000;
/** A new connection on which nothing has arrived for so long is idle, too. */
const MAX_SILENCE_MS = 2_000;
const WARNING_INTERVAL_MS = 60_000;
const ANSWER_TIMEOUT_MS = 30_000;

/** A connection that was closed at once, because too many were open. */
export const refusedConnections = new EventChannel<{ readonly server: Server | HttpsServer }>(
  'tessera:refused-connections',
);

interface Tracked {
  readonly socket: Socket;
  /** By the clock of `performance.now()`. */
  readonly since: number;
}

/** The open connections of a server, from its creation on. */
export class Connections {
  private static readonly all = new WeakMap<Server | HttpsServer, Connections>();

  /** By the peer's address and port: a TLS connection is reported a second time after its handshake. The oldest is first. */
  private readonly tracked = new Map<string, Tracked>();

  /** Those of a server, from the first call on. */
  static of(server: Server | HttpsServer): Connections {
    const connections = this.all.get(server) ?? new Connections(server);
    this.all.set(server, connections);
    return connections;
  }

  private constructor(private readonly server: Server | HttpsServer) {
    const track = (socket: Socket): void => this.track(socket);
    server.on('connection', track);
    server.on('secureConnection', track);
  }

  get size(): number {
    return this.tracked.size;
  }

  *[Symbol.iterator](): Iterator<Socket> {
    for (const { socket } of this.tracked.values()) yield socket;
  }

  /**
   * Closes connections without a request. Node treats a connection without any request as busy, and does not see one in its
   * handshake.
   *
   * @param silence milliseconds for which nothing has arrived on a new connection
   */
  closeIdle(silence = 0): void {
    this.server.closeIdleConnections();
    const latest = performance.now() - silence;
    for (const { socket, since } of this.tracked.values()) {
      if (since > latest) return;
      const isHandshaking = this.server instanceof TlsServer && !(socket instanceof TLSSocket);
      if (isHandshaking || socket.bytesRead === 0) socket.destroy();
    }
  }

  private track(socket: Socket): void {
    const peer = `${socket.remoteAddress} ${socket.remotePort}`;
    const since = this.tracked.get(peer)?.since ?? performance.now();
    const connection = { socket, since };
    this.tracked.set(peer, connection);
    socket.once('close', () => {
      if (this.tracked.get(peer) === connection) this.tracked.delete(peer);
    });
  }
}

/**
 * Bounds the connections of a server that does not listen yet.
 *
 * @param answerTimeout milliseconds without progress, after which a caller that does not read its answer is disconnected
 */
export function limitConnections(
  server: Server | HttpsServer,
  answerTimeout = ANSWER_TIMEOUT_MS,
): void {
  server.maxConnections = Math.floor(
    Math.min(maxOpenFiles() * SHARE_OF_OPEN_FILES, MAX_CONNECTIONS),
  );
  // Otherwise a worker passes the connection to the next one, also if all are full.
  Object.assign(server, { dropMaxConnection: true });
  makeRoom(server);
  reportRefused(server);
  endUnreadAnswers(server, answerTimeout);
}

function makeRoom(server: Server | HttpsServer): void {
  const connections = Connections.of(server);
  let last = -Infinity;
  const closeIdle = (): void => {
    if (connections.size <= server.maxConnections * CROWDED) return;
    const now = performance.now();
    if (now - last < MAKE_ROOM_INTERVAL_MS) return;
    last = now;
    connections.closeIdle(MAX_SILENCE_MS);
  };
  server.on('connection', closeIdle);
  server.on('drop', closeIdle);
}

function reportRefused(server: Server | HttpsServer): void {
  let last = -Infinity;
  server.on('drop', () => {
    refusedConnections.publish({ server });
    const now = performance.now();
    if (now - last < WARNING_INTERVAL_MS) return;
    last = now;
    const { maxConnections } = server;
    logger.warn({ maxConnections }, 'connections are refused: too many are open');
  });
}

/** Node reports idle connections, too, and those whose request is at work. Only the latter stay open. */
function endUnreadAnswers(server: Server | HttpsServer, timeout: number): void {
  server.timeout = timeout;
  server.on('timeout', (socket: Socket) => {
    const isAtWork = socket.timeout === timeout && socket.writableLength === 0;
    if (!isAtWork) socket.destroy();
  });
}
