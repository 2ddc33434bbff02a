// Owns where on this machine is what containers reach by a service's name, or find at a path of their own.

import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

import type { Service } from './compose-file.ts';

/** Below those the system hands out for outgoing connections, so that they stay free. */
const FREE_PORTS = [20_000, 32_000] as const;

export class Places {
  readonly #ports: ReadonlyMap<string, number>;

  private constructor(ports: ReadonlyMap<string, number>) {
    this.#ports = ports;
  }

  /** @param published whether ports are those that the compose file publishes; a port it keeps to itself is any free one */
  static async choose(services: readonly Service[], published: boolean): Promise<Places> {
    const ports = new Map<string, number>();
    for (const { name, ports: own } of services) {
      for (const [container, port] of own) {
        ports.set(`${name}:${container}`, published ? port : await freePort());
      }
    }
    for (const endpoint of services.flatMap((service) => endpointsIn(service, services))) {
      if (!ports.has(endpoint)) ports.set(endpoint, await freePort());
    }
    return new Places(ports);
  }

  port(name: string, container: number): number {
    const port = this.#ports.get(`${name}:${container}`);
    if (port === undefined) throw new Error(`nobody asks for port ${container} of ${name}`);
    return port;
  }

  /** The service's variables with hosts, ports and paths of this machine. */
  environmentOf(service: Service): Readonly<Record<string, string>> {
    const entries = Object.entries(service.environment);
    return Object.fromEntries(entries.map(([name, text]) => [name, this.#here(text, service)]));
  }

  #here(text: string, { name, ports, mounts }: Service): string {
    let here = text === '0.0.0.0' ? '127.0.0.1' : text;
    for (const container of ports.keys()) {
      const port = this.port(name, container);
      if (here === String(container)) return String(port);
      here = here.replace(`0.0.0.0:${container}`, `127.0.0.1:${port}`);
      here = here.replace(new RegExp(`(127\\.0\\.0\\.1|localhost):${container}\\b`), `$1:${port}`);
    }
    for (const [endpoint, port] of this.#ports) {
      here = here.replaceAll(`@${endpoint}`, `@127.0.0.1:${port}`);
      here = here.replaceAll(`//${endpoint}`, `//127.0.0.1:${port}`);
    }
    for (const { source, target } of mounts) if (here === target) return source;
    return here;
  }
}

/** What its variables say of others: `vault:8200`. */
function endpointsIn(service: Service, services: readonly Service[]): readonly string[] {
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
