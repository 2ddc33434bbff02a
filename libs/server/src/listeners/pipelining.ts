// Handles the requests of a connection one after the other, however many a caller sends at once (pipelining).
import type { RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Each takes about 5 kB of memory. Beyond this number only connections with few waiting requests stay open. */
const MAX_WAITING = 10_000;
const FEW = 16;

/** Requests that wait, in all servers of the process. */
let waiting = 0;

/**
 * A request waits until the answer before it has been sent. Meanwhile the connection is not read. A request whose connection
 * is gone is dropped.
 *
 * @see RFC 9112 §9.3.2 (pipelining)
 */
export function oneAtATime(handle: RequestListener): RequestListener {
  const pipelines = new WeakMap<Socket, Pipeline>();
  return (request, response) => {
    // Node assigns the connection to one response at a time, in the order of the requests.
    if (response.socket !== null) {
      handle(request, response);
      return;
    }
    const { socket } = request;
    const pipeline = pipelines.get(socket) ?? new Pipeline(socket);
    pipelines.set(socket, pipeline);
    pipeline.add(response, () => handle(request, response));
  };
}

/** The waiting requests of a connection. */
class Pipeline {
  private size = 0;

  constructor(private readonly socket: Socket) {
    // A request that reads its body makes Node read the connection again.
    socket.on('resume', () => this.size > 0 && socket.pause());
    socket.on('close', () => this.grow(-this.size));
  }

  add(response: ServerResponse, run: () => void): void {
    if (this.socket.destroyed) return;
    this.grow(1);
    this.socket.pause();
    if (waiting > MAX_WAITING && this.size > FEW) this.socket.destroy();
    response.once('socket', () => takeTurn(() => this.start(run)));
  }

  private start(run: () => void): void {
    if (this.socket.destroyed) return;
    this.grow(-1);
    if (this.size === 0) this.socket.resume();
    if (this.socket.writable) run();
  }

  private grow(by: number): void {
    this.size += by;
    waiting += by;
  }
}

const turns: (() => void)[] = [];

/** Starts one request in each round of the event loop, so that requests of other connections come in between. */
function takeTurn(turn: () => void): void {
  if (turns.push(turn) === 1) setImmediate(next);
}

function next(): void {
  turns.shift()?.();
  if (turns.length > 0) setImmediate(next);
}
