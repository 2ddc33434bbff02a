// A TCP door in front of a server that a test can shut: a network that fails is what lies outside the machine.
import { once } from 'node:events';
import {
  connect,
  createServer,
  type AddressInfo,
  type NetConnectOpts,
  type Server,
  type Socket,
} from 'node:net';

/** `hang`: takes everything and answers nothing, as a host behind a cut cable does. `refuse`: takes no connection. */
export type TcpProxyState = 'open' | 'hang' | 'refuse';

export class TcpProxy {
  /** Connections that were let in or left hanging. */
  accepted = 0;
  private readonly sockets = new Set<Socket>();
  private server: Server | undefined;
  private state: TcpProxyState = 'open';
  private listeningPort = 0;

  /** @param target what stands behind it */
  constructor(private readonly target: NetConnectOpts) {}

  /** On 127.0.0.1; the same from the first opening on. */
  get port(): number {
    return this.listeningPort;
  }

  /** Connections there are now. */
  get openConnections(): number {
    return this.sockets.size;
  }

  async set(state: TcpProxyState): Promise<void> {
    this.state = state;
    if (state === 'hang') for (const socket of this.sockets) discard(socket);
    if (state === 'refuse') await this.close();
    else if (this.server === undefined) await this.listen();
  }

  /** Cuts every connection there is; new ones pass. */
  cut(): void {
    for (const socket of this.sockets) socket.destroy();
  }

  async close(): Promise<void> {
    this.cut();
    const { server } = this;
    this.server = undefined;
    if (server === undefined) return;
    server.close();
    await once(server, 'close');
  }

  private async listen(): Promise<void> {
    this.server = createServer((client) => this.accept(client)).listen(this.port, '127.0.0.1');
    await once(this.server, 'listening');
    ({ port: this.listeningPort } = this.server.address() as AddressInfo);
  }

  private accept(client: Socket): void {
    this.accepted += 1;
    this.sockets.add(client);
    client.on('error', () => client.destroy());
    client.on('close', () => this.sockets.delete(client));
    if (this.state === 'hang') {
      discard(client);
      return;
    }
    const inner = connect(this.target);
    inner.on('error', () => client.destroy());
    inner.on('close', () => client.destroy());
    client.on('close', () => inner.destroy());
    client.pipe(inner);
    inner.on('data', (data) => {
      if (this.state === 'open') client.write(data);
    });
  }
}

/** Reads on, so that the end of the connection is noticed. */
function discard(client: Socket): void {
  client.unpipe();
  client.resume();
}
