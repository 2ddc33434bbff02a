// Starts the Vault that the tests use, with the root token and the secrets from the container's variables.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

import { Child } from './child.ts';

const BUILDER = 'test/support/vault-dev/program.ts';

export interface VaultOptions {
  readonly name: string;
  readonly env: Readonly<Record<string, string>>;
  readonly port: number;
  /** The checkout. */
  readonly root: string;
  readonly program: string;
}

/** The path of the program; the first call builds it, which takes minutes. Undefined if it cannot be built. */
export async function vaultProgram(root: string): Promise<string | undefined> {
  const child = spawn(process.execPath, [BUILDER], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let path = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (path += text));
  // Print that it builds, but not Node's output about why it cannot.
  createInterface(child.stderr).on('line', (line) => {
    if (line.startsWith('building')) console.error(line);
  });
  const [status] = (await once(child, 'close')) as [number | null];
  return status === 0 ? path.trim() : undefined;
}

/** Starts Vault, waits until it answers, and writes the secrets. It stores nothing on disk. */
export async function startVault(
  { name, env, port, root, program }: VaultOptions,
  onStart: (child: Child) => void,
): Promise<void> {
  const { VAULT_DEV_ROOT_TOKEN_ID: token = '', VAULT_REQUESTS: requests = '' } = env;
  const args = ['-addr', `127.0.0.1:${port}`, '-token', token];
  const child = new Child({ name, program, args, env: {}, cwd: root });
  onStart(child);
  const api = `http://127.0.0.1:${port}/v1`;
  await child.untilReady(async () => (await fetch(`${api}/sys/health`)).ok);
  for (const request of requests.trimEnd().split('\n')) {
    const [path = '', body = ''] = request.split(/ (.*)/s);
    const headers = { 'X-Vault-Token': token };
    const answer = await fetch(`${api}/${path}`, { method: 'POST', headers, body });
    if (!answer.ok) throw new Error(`Vault answered ${answer.status} to ${path}`);
  }
}
