// A fake LDAP server that sends arbitrary bytes, for answers that no real server gives.
import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { ALICE, bindAnswer, message, searchDone } from './ldap-messages.js';

const BIND = 0x60;
const SEARCH = 0x63;
/** A modification, or an extended operation. */
const CHANGES: readonly unknown[] = [0x66, 0x77];

/** @param id of the request @param socket to send more than the returned bytes */
export type Answer = (id: number, socket?: Socket) => Buffer;

export class FakeLdapServer {
  onBind: Answer = DEFAULT_ANSWERS.onBind;
  onSearch: Answer = DEFAULT_ANSWERS.onSearch;
  /** By default it does not answer. */
  onChange: Answer = DEFAULT_ANSWERS.onChange;
  /** Whether it closes each connection after an answer. */
  closesAfterAnswer = false;
  /** What clients have sent. */
  received = '';
  private readonly sockets = new Set<Socket>();
  private readonly server = createServer((socket) => this.accept(socket));

  static async start(): Promise<FakeLdapServer> {
    const fake = new FakeLdapServer();
    fake.server.listen(0, '127.0.0.1');
    await once(fake.server, 'listening');
    return fake;
  }

  get url(): string {
    return `ldap://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Restores the default: the only user is alice, and every password is accepted. */
  reset(): void {
    Object.assign(this, DEFAULT_ANSWERS, { closesAfterAnswer: false });
  }

  close(): void {
    for (const socket of this.sockets) socket.destroy();
    this.server.close();
  }

  private accept(socket: Socket): void {
    this.sockets.add(socket);
    socket.on('close', () => this.sockets.delete(socket));
    socket.on('error', () => socket.destroy());
    socket.on('data', (request: Buffer) => {
      this.received += request.toString('latin1');
      // `30 length 02 01 id operation`: requests of the client are short, and arrive one at a time.
      const [id = 0, operation] = request.subarray(request.indexOf('0201', 0, 'hex') + 2);
      if (CHANGES.includes(operation)) socket.write(this.onChange(id, socket));
      if (operation === SEARCH) socket.write(this.onSearch(id, socket));
      if (operation === BIND) socket.write(this.onBind(id, socket));
      if (this.closesAfterAnswer) socket.end();
    });
  }
}

const DEFAULT_ANSWERS = {
  onBind: (id: number) => message(id, bindAnswer(0)),
  onChange: () => Buffer.alloc(0),
  onSearch: (id: number) => Buffer.concat([message(id, ALICE), message(id, searchDone())]),
};
