// One keep-alive HTTP connection with one request at a time. It is cheap enough for load tests, and reports requests
// without an answer.
import { connect, type Socket } from 'node:net';

export interface TimedReply {
  readonly status: number;
  /** Status line and headers, unparsed. */
  readonly head: string;
  readonly body: string;
  /** From sending to the end of the answer. */
  readonly ms: number;
}

/** A request that was sent and got no answer. */
export class UnansweredError extends Error {
  override readonly name = 'UnansweredError';
}

/** A request without an answer for this long has failed. */
const HANG_MS = 15_000;
const FORM = 'application/x-www-form-urlencoded';

interface Waiter {
  readonly sent: number;
  resolve(reply: TimedReply): void;
  reject(error: Error): void;
}

export class Connection {
  private received = '';
  private waiter: Waiter | undefined;
  private ended = false;

  private constructor(private readonly socket: Socket) {
    socket.setEncoding('latin1').setNoDelay(true).setTimeout(HANG_MS);
    socket.on('data', (text: string) => this.receive(text));
    socket.on('timeout', () => {
      if (this.waiter) this.end(`no answer in ${HANG_MS} ms`);
    });
    socket.on('error', ({ message }) => this.end(message));
    socket.on('close', () => this.end('the connection was closed'));
  }

  static open(port: number): Promise<Connection> {
    return new Promise((resolve, reject) => {
      const socket = connect(port, '127.0.0.1');
      socket.once('error', reject);
      socket.once('connect', () => {
        socket.off('error', reject);
        resolve(new Connection(socket));
      });
    });
  }

  /** Whether it takes another request: neither side has closed it or sent `Connection: close`. */
  get isOpen(): boolean {
    return !this.ended;
  }

  get(path: string): Promise<TimedReply> {
    return this.send(`GET ${path} HTTP/1.1\r\nHost: test\r\n\r\n`);
  }

  /** @param form the entity, encoded */
  post(path: string, form: string, headers: readonly string[] = []): Promise<TimedReply> {
    const lines = [
      `POST ${path} HTTP/1.1`,
      'Host: test',
      `Content-Type: ${FORM}`,
      `Content-Length: ${form.length}`,
      ...headers,
    ];
    return this.send(`${lines.join('\r\n')}\r\n\r\n${form}`);
  }

  close(): void {
    this.ended = true;
    this.socket.destroy();
  }

  private send(request: string): Promise<TimedReply> {
    return new Promise((resolve, reject) => {
      if (this.ended) throw new Error('the connection is closed');
      this.waiter = { sent: performance.now(), resolve, reject };
      this.socket.write(request, 'latin1');
    });
  }

  private receive(text: string): void {
    this.received += text;
    const headEnd = this.received.indexOf('\r\n\r\n');
    if (headEnd < 0) return;
    const head = this.received.slice(0, headEnd);
    const end = headEnd + 4 + Number(/^content-length: *(\d+)/im.exec(head)?.[1] ?? 0);
    if (this.received.length < end) return;
    const body = this.received.slice(headEnd + 4, end);
    this.received = this.received.slice(end);
    if (/^connection: *close/im.test(head)) this.ended = true;
    const { waiter } = this;
    this.waiter = undefined;
    const ms = performance.now() - (waiter?.sent ?? 0);
    waiter?.resolve({ status: Number(head.slice(9, 12)), head, body, ms });
  }

  private end(reason: string): void {
    this.close();
    this.waiter?.reject(new UnansweredError(reason));
    this.waiter = undefined;
  }
}
