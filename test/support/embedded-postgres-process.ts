// Starts and ends the program of embedded-postgres-program.ts.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

export interface EmbeddedPostgresProcess {
  readonly process: ChildProcess;
  /** Of the server it holds; undefined when it could not open one. */
  readonly url: string | undefined;
  readonly code: string | undefined;
  readonly message: string | undefined;
  /** Lets it stop its server and exit. */
  stop(): Promise<void>;
  /** `kill -9`: it leaves everything as it is. */
  kill(): Promise<void>;
}

/** Opens the directory in a process of its own, as another operating-system user if told. */
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
