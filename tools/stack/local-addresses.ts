// Maps host names, ports and paths inside containers to this machine.

import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

import type { Service } from './compose-file.ts';

/** Below the ports that the system uses for outgoing connections. */
const FREE_PORTS = [20_000, 32_000] as const;

export class LocalAddresses {
  /** By service and port in the container: `vault:8200`. */
  readonly #ports: ReadonlyMap<string, number>;
  /** By the port that the compose file publishes. */
  readonly #published: ReadonlyMap<number, number>;

  private constructor(ports: ReadonlyMap<string, number>, published: ReadonlyMap<number, number>) {
    this.#ports = ports;
    this.#published = published;
  }

  /** @param published whether to use the published ports of the compose file; other ports are free ones */
  static async choose(services: readonly Service[], published: boolean): Promise<LocalAddresses> {
    const ports = new Map<string, number>();
    const publishedPorts = new Map<number, number>();
    for (const { network, ports: own } of services) {
      for (const [container, port] of own) {
        const key = `${network}:${container}`;
        if (ports.has(key)) continue;
        const local = published ? port : await freePort();
        ports.set(key, local);
        publishedPorts.set(port, local);
      }
    }
    for (const endpoint of services.flatMap((service) => endpointsOf(service, services))) {
      if (!ports.has(endpoint)) ports.set(endpoint, await freePort());
    }
    return new LocalAddresses(ports, publishedPorts);
  }

  port(name: string, container: number): number {
    const port = this.#ports.get(`${name}:${container}`);
    if (port === undefined) throw new Error(`port ${container} of ${name} is not used`);
    return port;
  }

  /** The service's variables with hosts, ports and paths of this machine. */
  environmentOf(service: Service): Readonly<Record<string, string>> {
    const entries = Object.entries(service.environment);
    return Object.fromEntries(entries.map(([name, text]) => [name, this.#localise(text, service)]));
  }

  #localise(text: string, { network, mounts }: Service): string {
    if (text === '0.0.0.0') return '127.0.0.1';
    const own = this.#ports.get(`${network}:${text}`);
    if (own !== undefined) return String(own);
    const mount = mounts.find(({ target }) => target === text);
    if (mount !== undefined) return mount.source;
    // In one pass: a port of this machine may be another's port in its container.
    return text.replaceAll(
      /(?<=^|@|\/\/)(?<host>[a-z][\w-]*|[\d.]+):(?<port>\d+)\b/g,
      (address: string, host: string, port: string) => {
        const isOwn = host === '127.0.0.1' || host === '0.0.0.0';
        const local =
          host === 'localhost'
            ? this.#published.get(Number(port))
            : this.#ports.get(`${isOwn ? network : host}:${port}`);
        if (local === undefined) return address;
        return `${host === 'localhost' ? host : '127.0.0.1'}:${local}`;
      },
    );
  }
}

/** Endpoints in its variables, its own and those of other services: `vault:8200`. */
function endpointsOf(service: Service, services: readonly Service[]): readonly string[] {
  const names = services.map(({ name }) => name).join('|');
  const pattern = new RegExp(`(?<=^|@|//)(${names}|127\\.0\\.0\\.1|0\\.0\\.0\\.0):(\\d+)`, 'g');
  return Object.values(service.environment).flatMap((text) =>
    [...text.matchAll(pattern)].map(([, host = '', port]) => {
      const owner = services.find(({ name }) => name === host) ?? service;
      return `${owner.network}:${port}`;
    }),
  );
}

async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(...FREE_PORTS);
    const server = createServer().listen(port, '127.0.0.1');
    const isFree = await once(server, 'listening').then(
      () => true,
      () => false,
    );
    if (!isFree) continue;
    server.close();
    await once(server, 'close');
    return port;
  }
}
