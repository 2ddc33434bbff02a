// Maps host names, ports and paths inside containers to this machine.

import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

import type { Service } from './compose-file.ts';

/** Below the ports that the system uses for outgoing connections. */
const FREE_PORTS = [20_000, 32_000] as const;

export class LocalAddresses {
  readonly #ports: ReadonlyMap<string, number>;

  private constructor(ports: ReadonlyMap<string, number>) {
    this.#ports = ports;
  }

  /** @param published whether to use the published ports of the compose file; other ports are free ones */
  static async choose(services: readonly Service[], published: boolean): Promise<LocalAddresses> {
    const ports = new Map<string, number>();
    for (const { network, ports: own } of services) {
      for (const [container, port] of own) {
        const key = `${network}:${container}`;
        if (!ports.has(key)) ports.set(key, published ? port : await freePort());
      }
    }
    for (const endpoint of services.flatMap((service) => endpointsOf(service, services))) {
      if (!ports.has(endpoint)) ports.set(endpoint, await freePort());
    }
    return new LocalAddresses(ports);
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

  #localise(text: string, { network, ports, mounts }: Service): string {
    let local = text === '0.0.0.0' ? '127.0.0.1' : text;
    for (const container of ports.keys()) {
      const port = this.port(network, container);
      if (local === String(container)) return String(port);
      local = local.replace(`0.0.0.0:${container}`, `127.0.0.1:${port}`);
      local = local.replace(
        new RegExp(`(127\\.0\\.0\\.1|localhost):${container}\\b`),
        `$1:${port}`,
      );
    }
    for (const [endpoint, port] of this.#ports) {
      local = local.replaceAll(`@${endpoint}`, `@127.0.0.1:${port}`);
      local = local.replaceAll(`//${endpoint}`, `//127.0.0.1:${port}`);
    }
    for (const { source, target } of mounts) if (local === target) return source;
    return local;
  }
}

/** Endpoints of other services in its variables: `vault:8200`. */
function endpointsOf(service: Service, services: readonly Service[]): readonly string[] {
  const names = services.map(({ name }) => name).join('|');
  const pattern = new RegExp(`(?<=@|//)(?:${names}):\\d+`, 'g');
  return Object.values(service.environment).flatMap((text) => text.match(pattern) ?? []);
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
