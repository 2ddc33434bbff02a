// A TCP load balancer: each connection goes to the next of the nodes that are in it.
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { until } from './until.js';

export class Balancer {
  private readonly server = createServer({ allowHalfOpen: true }, (client) => this.accept(client));
  private readonly nodes: number[] = [];
  /** Open connections of each node. */
  private readonly open = new Map<number, number>();
  private turn = 0;

  static async start(): Promise<Balancer> {
    const balancer = new Balancer();
    balancer.server.listen(0, '127.0.0.1');
    await once(balancer.server, 'listening');
    return balancer;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** @param port of a node on 127.0.0.1 */
  add(port: number): void {
    this.nodes.push(port);
  }

  /** Sends it no new connection, and waits until the open ones have ended. */
  async remove(port: number): Promise<void> {
    this.nodes.splice(this.nodes.indexOf(port), 1);
    await until('the node has no connections', () => (this.open.get(port) ?? 0) === 0);
  }

  async stop(): Promise<void> {
    this.server.close();
    await once(this.server, 'close');
  }

  private accept(client: Socket): void {
    this.turn += 1;
    const port = this.nodes[this.turn % this.nodes.length];
    if (port === undefined) {
      client.destroy();
      return;
    }
    this.count(port, 1);
    const node = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    client.pipe(node).pipe(client);
    client.on('error', () => node.destroy());
    node.on('error', () => client.destroy());
    node.on('close', () => {
      this.count(port, -1);
    });
  }

  private count(port: number, change: number): void {
    this.open.set(port, (this.open.get(port) ?? 0) + change);
  }
}
