// Owns the Vault of the stack: the real one that the tests have, with the root token of the container's variables.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

import { Child } from './child.ts';

const BUILDER = 'test/support/vault-dev/program.ts';

export interface VaultOptions {
  readonly name: string;
  readonly env: Readonly<Record<string, string>>;
  readonly port: number;
  /** Of the checkout. */
  readonly root: string;
  readonly program: string;
}

/** Its path, built where no former run has: that takes minutes. Undefined where it cannot be built. */
export async function vaultProgram(root: string): Promise<string | undefined> {
  const child = spawn(process.execPath, [BUILDER], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let path = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (path += text));
  // That it builds is worth knowing at once; why it cannot is not, in lines of Node's.
  createInterface(child.stderr).on('line', (line) => {
    if (line.startsWith('building')) console.error(line);
  });
  const [status] = (await once(child, 'close')) as [number | null];
  return status === 0 ? path.trim() : undefined;
}

/** Starts it and waits until it answers. */
export async function startVault(
  { name, env, port, root, program }: VaultOptions,
  onStart: (child: Child) => void,
): Promise<void> {
  const args = ['-addr', `127.0.0.1:${port}`, '-token', env['VAULT_DEV_ROOT_TOKEN_ID'] ?? ''];
  const child = new Child({ name, program, args, env: {}, cwd: root });
  onStart(child);
  await child.isReady(async () => (await fetch(`http://127.0.0.1:${port}/v1/sys/health`)).ok);
}
