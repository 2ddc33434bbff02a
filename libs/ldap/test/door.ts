// A TCP door in front of a server that a test can shut: a network that fails is what lies outside the machine.
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** `hang`: takes everything and answers nothing. `refuse`: takes no connection. */
export type DoorState = 'open' | 'hang' | 'refuse';

export class Door {
  /** Connections that were let in or left hanging. */
  accepted = 0;
  private readonly sockets = new Set<Socket>();
  private server: Server | undefined;
  private state: DoorState = 'open';
  private port = 0;

  private constructor(private readonly target: number) {}

  /** @param target URL of a server on 127.0.0.1 */
  static async before(target: string, state: DoorState = 'open'): Promise<Door> {
    const door = new Door(Number(new URL(target).port));
    await door.set('open');
    await door.set(state);
    return door;
  }

  get url(): string {
    return `ldap://127.0.0.1:${this.port}`;
  }

  /** Connections there are now. */
  get open(): number {
    return this.sockets.size;
  }

  async set(state: DoorState): Promise<void> {
    this.state = state;
    if (state === 'hang') for (const socket of this.sockets) swallow(socket);
    if (state === 'refuse') await this.close();
    else if (this.server === undefined) await this.listen();
  }

  async close(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    const { server } = this;
    this.server = undefined;
    if (server === undefined) return;
    server.close();
    await once(server, 'close');
  }

  private async listen(): Promise<void> {
    this.server = createServer((client) => this.accept(client)).listen(this.port, '127.0.0.1');
    await once(this.server, 'listening');
    ({ port: this.port } = this.server.address() as AddressInfo);
  }

  private accept(client: Socket): void {
    this.accepted += 1;
    this.track(client);
    if (this.state === 'hang') {
      swallow(client);
      return;
    }
    const inner = connect(this.target, '127.0.0.1');
    inner.on('error', () => client.destroy());
    client.on('close', () => inner.destroy());
    inner.on('close', () => client.destroy());
    client.pipe(inner);
    inner.on('data', (data) => {
      if (this.state === 'open') client.write(data);
    });
  }

  private track(socket: Socket): void {
    this.sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => this.sockets.delete(socket));
  }
}

/** Reads on, so that the end of the connection is noticed. */
function swallow(client: Socket): void {
  client.unpipe();
  client.resume();
}
