// Starts the built config server as a process.
import { Program } from './process.js';

export interface ConfigServerNode {
  readonly program: Program;
  readonly url: string;
}

/**
 * Starts it on a free port and waits until it listens.
 *
 * @param cwd the folder of its settings files and data
 * @param env further variables
 */
export async function startConfigServerNode(
  cwd: string,
  settings: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<ConfigServerNode> {
  const program = Program.start('config-server', ['--config-server.port=0', ...settings], {
    cwd,
    env,
  });
  const [, port] = await program.waitForOutput(/"port":(\d+),"msg":"listening"/);
  return { program, url: `http://127.0.0.1:${port}` };
}
