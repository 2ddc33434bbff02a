// Starts the measured processes: the applications and their floors.
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { childrenOf } from './process-usage.js';

/** The directory of this checkout. */
export const THIS_BUILD = fileURLToPath(new URL('../../..', import.meta.url));

/** The program `tessera` of a built checkout. */
export function commandLineOf(build: string): string {
  return join(build, 'dist/apps/cli/src/main.js');
}

export interface Server {
  readonly pid: number;
  readonly port: number;
  /** Path before /v1/tickets. */
  readonly prefix: string;
  stop(): Promise<void>;
}

/** The SSO application as `tessera start` runs it. */
export async function startSso(
  databaseUrl: string,
  port: number,
  settings: readonly string[] = [],
  build = THIS_BUILD,
): Promise<Server> {
  const address = [`--sso.port=${port}`, `--sso.base-url=http://127.0.0.1:${port}/cas`];
  const args = ['sso', `--database.url=${databaseUrl}`, ...address, ...settings];
  return server(await startApplication(args, { build }), { port, prefix: '/cas' });
}

/**
 * The config server as `tessera start` runs it.
 *
 * @param cwd working directory with `./config-repo`, and for the generated key
 */
export async function startConfigServer(
  cwd: string,
  port: number,
  settings: readonly string[] = [],
  build = THIS_BUILD,
): Promise<Server> {
  const args = ['config-server', `--config-server.port=${port}`, ...settings];
  return server(await startApplication(args, { cwd, build }), { port, prefix: '' });
}

/** @see floor.ts */
export function startFloor(databaseUrl: string): Promise<Server> {
  return startFloorProgram('./floor.js', databaseUrl);
}

/** @see config-floor.ts */
export function startConfigFloor(answer: object): Promise<Server> {
  return startFloorProgram('./config-floor.js', JSON.stringify(answer));
}

interface RunningProcess {
  /** The command line program, which stops the application when it ends. */
  readonly child: ChildProcess;
  /** The application. */
  readonly pid: number;
}

/** Returns when the application accepts requests. */
async function startApplication(
  args: readonly string[],
  { cwd = process.cwd(), build }: { readonly cwd?: string; readonly build: string },
): Promise<RunningProcess> {
  const child = fork(commandLineOf(build), ['start', ...args, '--logging.level.root=error'], {
    cwd,
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  const died = once(child, 'exit').then(() => {
    throw new Error('the application did not start');
  });
  died.catch(() => {});
  await Promise.race([once(child.stdout ?? child, 'data'), died]);
  const [pid] = childrenOf(child.pid ?? 0);
  if (pid === undefined) throw new Error('the application did not start');
  return { child, pid };
}

/** Starts a program of this folder that sends its port as a message. */
async function startFloorProgram(program: string, argument: string): Promise<Server> {
  const child = fork(fileURLToPath(import.meta.resolve(program)), [argument]);
  const { port } = (await firstMessage(child)) as { port: number };
  return server({ child, pid: child.pid ?? 0 }, { port, prefix: '' });
}

function server({ child, pid }: RunningProcess, address: Pick<Server, 'port' | 'prefix'>): Server {
  const stop = async (): Promise<void> => {
    if (child.exitCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    await ended;
  };
  return { pid, ...address, stop };
}

async function firstMessage(child: ChildProcess): Promise<unknown> {
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`a process ended with ${String(code)} instead of starting`);
  });
  const [message] = (await Promise.race([once(child, 'message'), ended])) as [unknown];
  ended.catch(() => {});
  return message;
}
