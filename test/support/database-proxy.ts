// A TCP door in front of the suite's PostgreSQL that a test can shut: the network between an
// application and its database is what lies outside the machine.
import { createServer, createConnection, type Server, type Socket } from 'node:net';
import { once } from 'node:events';

/** `hang`: takes everything and answers nothing, as a host behind a cut cable does. */
export type DoorState = 'open' | 'hang' | 'refuse';

export class DatabaseProxy {
  private readonly sockets = new Set<Socket>();
  private server: Server | undefined;
  private state: DoorState = 'open';
  private port = 0;

  /** @param target the URL of a database on a Unix socket */
  constructor(private readonly target: string) {}

  /** The URL of the same database through the door. */
  get url(): string {
    const { pathname } = new URL(this.target);
    return `postgresql://postgres@127.0.0.1:${this.port}${pathname}?sslmode=disable`;
  }

  async set(state: DoorState): Promise<void> {
    this.state = state;
    for (const socket of this.sockets) {
      if (state === 'hang') socket.pause();
      if (state === 'refuse') socket.destroy();
    }
    if (state === 'refuse') await this.close();
    else if (this.server === undefined) await this.listen();
  }

  /** Cuts every connection there is; new ones pass. */
  cut(): void {
    for (const socket of this.sockets) socket.destroy();
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
    this.server = createServer((inner) => this.accept(inner)).listen(this.port, '127.0.0.1');
    await once(this.server, 'listening');
    const address = this.server.address();
    if (typeof address === 'object' && address !== null) this.port = address.port;
  }

  private accept(client: Socket): void {
    this.track(client);
    if (this.state === 'hang') return;
    const folder = new URL(this.target).searchParams.get('host') ?? '';
    const server = createConnection(`${folder}/.s.PGSQL.5432`);
    this.track(server);
    client.pipe(server).pipe(client);
    client.on('close', () => server.destroy());
    server.on('close', () => client.destroy());
  }

  private track(socket: Socket): void {
    this.sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => this.sockets.delete(socket));
  }
}
