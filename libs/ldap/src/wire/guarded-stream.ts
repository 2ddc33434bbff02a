// Stands between a server and the client library, which must not read what breaks the protocol: it would loop
// for ever on some of that. Every byte from a server goes through here, and only whole, sound answers pass.
import type { Socket, SocketReadyState } from 'node:net';
import { Duplex } from 'node:stream';
import { Exchange } from './exchange.js';
import { MessageSplitter } from './message-splitter.js';

const LONGEST_MESSAGE = 1_024 * 1_024;

/** A stream as a socket is one. The first fault of the server or of the way to it destroys both. */
export class GuardedStream extends Duplex {
  readonly connecting = false;
  private readonly splitter = new MessageSplitter(LONGEST_MESSAGE);
  private exchange = new Exchange();

  /** @param socket open; nobody else reads it from now on */
  constructor(private readonly socket: Socket) {
    super();
    // Nobody else may be listening yet when the server errs.
    this.on('error', () => {});
    socket.on('data', (bytes: Buffer) => this.receive(bytes));
    socket.on('error', (error) => this.destroy(error));
    socket.on('close', () => this.destroy());
  }

  get readyState(): SocketReadyState {
    return this.destroyed ? 'closed' : this.socket.readyState;
  }

  override _read(): void {
    // All that passes is pushed at once: an exchange bounds how much that is.
  }

  /** @param request one whole message */
  override _write(request: Buffer, _encoding: string, done: (error?: Error | null) => void): void {
    this.exchange = new Exchange(request);
    this.socket.write(request, done);
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.socket.destroy();
    done(error);
  }

  private receive(bytes: Buffer): void {
    try {
      for (const message of this.splitter.cut(bytes)) {
        if (this.exchange.admits(message)) this.push(message);
      }
    } catch (error) {
      this.destroy(error as Error);
    }
  }
}
