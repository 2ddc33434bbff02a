// Owns the processes that are measured: the SSO application, the floor and PostgreSQL.
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { childrenOf } from './cpu.js';

export interface Server {
  readonly pid: number;
  readonly port: number;
  /** Path in front of /v1/tickets. */
  readonly prefix: string;
  stop(): Promise<void>;
}

/** The application as `tessera start` runs it, on a database of the benchmark's. */
export async function startSso(
  databaseUrl: string,
  port: number,
  settings: readonly string[] = [],
): Promise<Server> {
  const cli = fileURLToPath(import.meta.resolve('../../apps/cli/src/main.js'));
  const supervisor = fork(
    cli,
    [
      'start',
      'sso',
      `--database.url=${databaseUrl}`,
      `--sso.port=${port}`,
      `--sso.base-url=http://127.0.0.1:${port}/cas`,
      '--logging.level.root=error',
      ...settings,
    ],
    { stdio: ['ignore', 'pipe', 'inherit', 'ipc'] },
  );
  const died = once(supervisor, 'exit').then(() => {
    throw new Error('the application did not start');
  });
  died.catch(() => {});
  await Promise.race([once(supervisor.stdout ?? supervisor, 'data'), died]);
  const [pid] = childrenOf(supervisor.pid ?? 0);
  if (pid === undefined) throw new Error('the application did not start');
  return server(supervisor, { pid, port, prefix: '/cas' });
}

/** @see floor.ts */
export async function startFloor(databaseUrl: string): Promise<Server> {
  const child = fork(fileURLToPath(import.meta.resolve('./floor.js')), [databaseUrl]);
  const { port } = (await firstMessage(child)) as { port: number };
  return server(child, { pid: child.pid ?? 0, port, prefix: '' });
}

function server(child: ChildProcess, address: Pick<Server, 'pid' | 'port' | 'prefix'>): Server {
  const stop = async (): Promise<void> => {
    if (child.exitCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    await ended;
  };
  return { ...address, stop };
}

async function firstMessage(child: ChildProcess): Promise<unknown> {
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`a process ended with ${String(code)} instead of starting`);
  });
  const [message] = (await Promise.race([once(child, 'message'), ended])) as [unknown];
  ended.catch(() => {});
  return message;
}
