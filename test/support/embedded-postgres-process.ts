// Runs embedded-postgres-program.ts as a process.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

export interface EmbeddedPostgresProcess {
  readonly process: ChildProcess;
  /** URL of the server; undefined if it could not start. */
  readonly url: string | undefined;
  readonly code: string | undefined;
  readonly message: string | undefined;
  /** Stops the server and the process. */
  stop(): Promise<void>;
  /** Kills the process with SIGKILL, without a clean-up. */
  kill(): Promise<void>;
}

/** @param directory data directory @param user operating-system user; the current one by default */
export async function startEmbeddedPostgresProcess(
  directory: string,
  user?: { readonly uid: number; readonly gid: number },
): Promise<EmbeddedPostgresProcess> {
  const here = (name: string): string => join(import.meta.dirname, name);
  const child = spawn(
    process.execPath,
    [
      '--experimental-transform-types',
      '--disable-warning=ExperimentalWarning',
      `--import=${here('resolve-sources.ts')}`,
      here('embedded-postgres-program.ts'),
      directory,
    ],
    { ...user, cwd: '/', env: {}, stdio: ['pipe', 'pipe', 'inherit'] },
  );
  const exited = once(child, 'exit');
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
  const answer = JSON.parse(line) as Pick<EmbeddedPostgresProcess, 'url' | 'code' | 'message'>;
  return {
    process: child,
    url: answer.url,
    code: answer.code,
    message: answer.message,
    stop: async () => {
      child.stdin.end();
      await exited;
    },
    kill: async () => {
      child.kill('SIGKILL');
      await exited;
    },
  };
}
