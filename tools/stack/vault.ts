// The Vault of the stack: the real one that the tests have, with the root token and the seed of the container's variables.

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

/** Starts it, waits until it answers, and seeds it: it keeps nothing. */
export async function startVault(
  { name, env, port, root, program }: VaultOptions,
  onStart: (child: Child) => void,
): Promise<void> {
  const { VAULT_DEV_ROOT_TOKEN_ID: token = '', VAULT_REQUESTS: requests = '' } = env;
  const args = ['-addr', `127.0.0.1:${port}`, '-token', token];
  const child = new Child({ name, program, args, env: {}, cwd: root });
  onStart(child);
  const api = `http://127.0.0.1:${port}/v1`;
  await child.isReady(async () => (await fetch(`${api}/sys/health`)).ok);
  for (const request of requests.trimEnd().split('\n')) {
    const [path = '', body = ''] = request.split(/ (.*)/s);
    const headers = { 'X-Vault-Token': token };
    const answer = await fetch(`${api}/${path}`, { method: 'POST', headers, body });
    if (!answer.ok) throw new Error(`Vault answered ${answer.status} to ${path}`);
  }
}
