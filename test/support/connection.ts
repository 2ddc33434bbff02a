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

const FORM_HEADER = `Content-Type: application/x-www-form-urlencoded`;

export interface ConnectionOptions {
  /** An address; 127.0.0.1 by default. */
  readonly host?: string;
  /** A request without an answer for this long has failed. In ms; 15 s by default. */
  readonly timeout?: number;
}

interface Waiter {
  readonly sent: number;
  resolve(reply: TimedReply): void;
  reject(error: Error): void;
}

export class Connection {
  private received = '';
  private waiter: Waiter | undefined;
  private ended = false;

  private constructor(
    private readonly socket: Socket,
    timeout: number,
  ) {
    socket.setEncoding('latin1').setNoDelay(true).setTimeout(timeout);
    socket.on('data', (text: string) => this.receive(text));
    socket.on('timeout', () => {
      if (this.waiter) this.end(`no answer in ${timeout} ms`);
    });
    socket.on('error', ({ message }) => this.end(message));
    socket.on('close', () => this.end('the connection was closed'));
  }

  /** @throws Error if it is refused, or not there within the timeout */
  static open(
    port: number,
    { host = '127.0.0.1', timeout = 15_000 }: ConnectionOptions = {},
  ): Promise<Connection> {
    return new Promise((resolve, reject) => {
      const socket = connect(port, host);
      const giveUp = (): unknown => socket.destroy(new Error(`no connection in ${timeout} ms`));
      socket.once('error', reject);
      socket.setTimeout(timeout, giveUp);
      socket.once('connect', () => {
        socket.off('error', reject).off('timeout', giveUp);
        resolve(new Connection(socket, timeout));
      });
    });
  }

  /** Whether it takes another request: neither side has closed it or sent `Connection: close`. */
  get isOpen(): boolean {
    return !this.ended;
  }

  get(path: string, headers: readonly string[] = []): Promise<TimedReply> {
    return this.request('GET', path, headers);
  }

  delete(path: string, headers: readonly string[] = []): Promise<TimedReply> {
    return this.request('DELETE', path, headers);
  }

  /** @param form the entity, encoded */
  post(path: string, form: string, headers: readonly string[] = []): Promise<TimedReply> {
    const entity = [FORM_HEADER, `Content-Length: ${form.length}`];
    return this.request('POST', path, [...entity, ...headers], form);
  }

  close(): void {
    this.ended = true;
    this.socket.destroy();
  }

  private request(
    method: string,
    path: string,
    headers: readonly string[],
    body = '',
  ): Promise<TimedReply> {
    const lines = [`${method} ${path} HTTP/1.1`, 'Host: test', ...headers];
    return this.send(`${lines.join('\r\n')}\r\n\r\n${body}`);
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
