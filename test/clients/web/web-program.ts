// Runs a web application as a process, in a folder of its own, and waits until it listens.
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { makeFolder, removeFolder } from '../../support/folders.js';
import { Program } from '../../support/process.js';
import { until } from '../../support/until.js';

/** Long enough for a virtual machine of Java on a busy machine. */
export const START_TIMEOUT_MS = 120_000;

export interface WebApplication {
  /** Origin. */
  readonly url: string;
  stop(): Promise<void>;
}

export interface WebProgram {
  readonly command: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Whether it needs a process group of its own. */
  readonly isGroup?: boolean;
}

/** @param program the command, for a port and a new folder */
export async function startWebProgram(
  program: (port: number, folder: string) => Promise<WebProgram>,
  protocol: 'http' | 'https' = 'http',
): Promise<WebApplication> {
  const [port, folder] = [await freePort(), await makeFolder()];
  const { command, env = {}, isGroup = false } = await program(port, folder);
  const running = Program.run(command, { env, isGroup });
  const url = `${protocol}://127.0.0.1:${port}`;
  const isListening = (): Promise<boolean> =>
    fetch(url, { redirect: 'manual' }).then(
      () => true,
      () => false,
    );
  const ended = running.ended.then(() => {
    throw new Error(`${command[0]} has ended: ${running.stderr}`);
  });
  const stop = async (): Promise<void> => {
    // Its end is no fault from here on.
    ended.catch(() => {});
    await running.stop();
    await removeFolder(folder);
  };
  const listens = until(`${command[0]} listens`, isListening, START_TIMEOUT_MS);
  try {
    await Promise.race([ended, listens]);
  } catch (error) {
    await stop();
    throw error;
  }
  return { url, stop };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}
