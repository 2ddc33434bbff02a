// Ports of 127.0.0.1 for programs that cannot choose a free one.
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:net';

/** Below the range for outgoing connections, so that the ports stay free. */
const PORT_RANGE = [20_000, 32_000] as const;

/** Listens on a port of 127.0.0.1; undefined if it is in use. */
export async function occupyPort(port: number): Promise<Server | undefined> {
  const server = createServer().listen(port, '127.0.0.1');
  return once(server, 'listening').then(
    () => server,
    () => undefined,
  );
}

export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(...PORT_RANGE);
    const server = await occupyPort(port);
    if (server === undefined) continue;
    server.close();
    await once(server, 'close');
    return port;
  }
}
