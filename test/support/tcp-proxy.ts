// TCP proxies that can hang, refuse connections or delay replies, to simulate a network that fails.
import { once } from 'node:events';
import {
  connect,
  createServer,
  type AddressInfo,
  type NetConnectOpts,
  type Server,
  type Socket,
} from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** `hang`: accepts connections and data but never answers. `refuse`: accepts no connection. */
export type TcpProxyState = 'open' | 'hang' | 'refuse';

export class TcpProxy {
  /** Number of connections accepted so far, hanging ones included. */
  accepted = 0;
  /** Added to each reply, in ms. */
  replyDelay = 0;
  private readonly sockets = new Set<Socket>();
  private server: Server | undefined;
  private state: TcpProxyState = 'open';
  private listeningPort = 0;

  /**
   * @param target address of the server behind the proxy
   * @param host address to listen on
   */
  constructor(
    private readonly target: NetConnectOpts,
    private readonly host = '127.0.0.1',
  ) {}

  /** It stays the same after the first start. */
  get port(): number {
    return this.listeningPort;
  }

  /** Number of open connections. */
  get openConnections(): number {
    return this.sockets.size;
  }

  async set(state: TcpProxyState): Promise<void> {
    this.state = state;
    if (state === 'hang') for (const socket of this.sockets) discard(socket);
    if (state === 'refuse') await this.close();
    else if (this.server === undefined) await this.listen();
  }

  /** Closes all open connections; new ones are accepted. */
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
    this.server = createServer((client) => this.accept(client)).listen(this.port, this.host);
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
    let delayed = Promise.resolve();
    let waiting = 0;
    inner.on('data', (data) => {
      if (this.state !== 'open') return;
      if (this.replyDelay === 0 && waiting === 0) {
        client.write(data);
        return;
      }
      waiting += 1;
      const due = performance.now() + this.replyDelay;
      delayed = delayed.then(async () => {
        await sleep(Math.max(0, due - performance.now()));
        waiting -= 1;
        client.write(data);
      });
    });
  }
}

/** Keeps reading, so that the end of the connection is noticed. */
function discard(client: Socket): void {
  client.unpipe();
  client.resume();
}

export class DatabaseProxy extends TcpProxy {
  private readonly pathname: string;

  /** @param target the URL of a database on a Unix socket */
  constructor(target: string) {
    const { pathname, searchParams } = new URL(target);
    super({ path: `${searchParams.get('host') ?? ''}/.s.PGSQL.5432` });
    this.pathname = pathname;
  }

  /** URL of the database through the proxy. */
  get url(): string {
    return `postgresql://postgres@127.0.0.1:${this.port}${this.pathname}?sslmode=disable`;
  }
}

export class LdapProxy extends TcpProxy {
  /** @param target URL of a server on 127.0.0.1 */
  static async start(target: string, state: TcpProxyState = 'open'): Promise<LdapProxy> {
    const proxy = new LdapProxy({ host: '127.0.0.1', port: Number(new URL(target).port) });
    await proxy.set('open');
    await proxy.set(state);
    return proxy;
  }

  get url(): string {
    return `ldap://127.0.0.1:${this.port}`;
  }
}
