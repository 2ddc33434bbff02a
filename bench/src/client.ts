// A keep-alive HTTP connection of the load generator, with little CPU time per request to leave the cores to the server.
import { connect, type Socket } from 'node:net';

export interface Reply {
  readonly status: number;
  readonly head: string;
  readonly body: string;
}

export class Client {
  private buffered = '';
  private waiter: { resolve(reply: Reply): void; reject(error: Error): void } | undefined;

  private constructor(
    private readonly socket: Socket,
    private readonly host: string,
  ) {
    socket.setNoDelay(true);
    socket.setEncoding('latin1');
    socket.on('data', (chunk: string) => this.receive(chunk));
    socket.on('error', (error) => this.fail(error));
    socket.on('close', () => this.fail(new Error('the connection was closed')));
  }

  static open(port: number): Promise<Client> {
    return new Promise((resolve, reject) => {
      const socket = connect(port, '127.0.0.1');
      socket.once('error', reject);
      socket.once('connect', () => resolve(new Client(socket, `127.0.0.1:${port}`)));
    });
  }

  get(path: string, cookie?: string): Promise<Reply> {
    const header = cookie === undefined ? '' : `Cookie: ${cookie}\r\n`;
    return this.exchange(`GET ${path} HTTP/1.1\r\nHost: ${this.host}\r\n${header}\r\n`);
  }

  post(path: string, form: string, accept = '*/*'): Promise<Reply> {
    return this.exchange(
      `POST ${path} HTTP/1.1\r\nHost: ${this.host}\r\nAccept: ${accept}\r\n` +
        'Content-Type: application/x-www-form-urlencoded\r\n' +
        `Content-Length: ${form.length}\r\n\r\n${form}`,
    );
  }

  /** Posts ASCII text; {@link post} sends a form. */
  postText(path: string, text: string): Promise<Reply> {
    return this.exchange(
      `POST ${path} HTTP/1.1\r\nHost: ${this.host}\r\nContent-Type: text/plain\r\n` +
        `Content-Length: ${text.length}\r\n\r\n${text}`,
    );
  }

  delete(path: string): Promise<Reply> {
    return this.exchange(`DELETE ${path} HTTP/1.1\r\nHost: ${this.host}\r\n\r\n`);
  }

  close(): void {
    this.waiter = undefined;
    this.socket.destroy();
  }

  private exchange(request: string): Promise<Reply> {
    return new Promise((resolve, reject) => {
      this.waiter = { resolve, reject };
      this.socket.write(request, 'latin1');
    });
  }

  private receive(chunk: string): void {
    this.buffered += chunk;
    const end = this.buffered.indexOf('\r\n\r\n');
    if (end < 0) return;
    const head = this.buffered.slice(0, end);
    const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0);
    if (this.buffered.length < end + 4 + length) return;
    const body = this.buffered.slice(end + 4, end + 4 + length);
    this.buffered = this.buffered.slice(end + 4 + length);
    const { waiter } = this;
    this.waiter = undefined;
    waiter?.resolve({ status: Number(head.slice(9, 12)), head, body });
  }

  private fail(error: Error): void {
    this.waiter?.reject(error);
    this.waiter = undefined;
  }
}
