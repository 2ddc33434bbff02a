// Runs PostgreSQL's programs and small probes, as another operating-system user where needed.
import { execFile } from 'node:child_process';

/** Nothing of our own environment: it may hold secrets, and a locale of its own. */
export const CLEAN_ENVIRONMENT = { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' };

/** An operating-system user, by number. */
export interface Identity {
  readonly uid: number;
  readonly gid: number;
}

export interface Outcome {
  readonly succeeded: boolean;
  readonly stdout: string;
  /** What the program said last, or why it did not start. */
  readonly complaint: string;
}

/** Runs a program to its end; its failure is an answer, not an exception. */
export function run(
  program: string,
  parameters: readonly string[],
  user?: Identity,
): Promise<Outcome> {
  const identity = user === undefined ? {} : { uid: user.uid, gid: user.gid };
  return new Promise((resolve) => {
    execFile(
      program,
      parameters,
      { ...identity, cwd: '/', env: CLEAN_ENVIRONMENT, maxBuffer: 4 * 1024 * 1024 },
      (error, stdout, stderr) =>
        resolve({
          succeeded: error === null,
          stdout: stdout.trim(),
          complaint: stderr.trim() || (error?.message ?? ''),
        }),
    );
  });
}
