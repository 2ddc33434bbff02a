// Owns one process of git and all that it starts: how it begins and how it is ended. What it says is its caller's affair.
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { GitStderr } from './git-stderr.js';
import { GitError } from './git-error.js';

/** From the polite signal to the other, in milliseconds. */
const PATIENCE = 2_000;
/** What a group with nobody in it is answered; the second by macOS, while one is still to be counted. */
const GONE: ReadonlySet<string | undefined> = new Set(['ESRCH', 'EPERM']);

export class GitProcess {
  /** Settles when it and all that held its pipes are gone. @throws GitError where it failed */
  readonly ended: Promise<void>;
  private readonly child: ChildProcessWithoutNullStreams;
  private readonly complaint = new GitStderr();
  private hasEnded = false;
  private killer: NodeJS.Timeout | undefined;

  constructor(
    private readonly args: readonly string[],
    env: NodeJS.ProcessEnv,
  ) {
    // A group of its own: its helpers are ended with it, and a Ctrl-C at our terminal is not theirs.
    this.child = spawn('git', args, { env, cwd: '/', detached: true });
    this.child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.complaint.take(text);
    });
    // Who writes to it learns by `ended` that it is gone.
    this.child.stdin.on('error', () => {});
    this.ended = this.awaitEnd();
    this.ended.catch(() => {});
  }

  get stdin(): NodeJS.WritableStream {
    return this.child.stdin;
  }

  onOutput(take: (chunk: Buffer) => void): void {
    this.child.stdout.on('data', take);
  }

  /** Asks it and all that it started to end, and then makes them. */
  kill(): void {
    if (this.hasEnded || this.killer !== undefined) return;
    this.signal('SIGTERM');
    this.killer = setTimeout(() => {
      this.signal('SIGKILL');
      this.child.stdout.destroy();
      this.child.stderr.destroy();
    }, PATIENCE);
  }

  private awaitEnd(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.child.once('error', (error) => {
        this.hasEnded = true;
        reject(new GitError('GIT_UNUSABLE', `the program git cannot be run: ${error.message}`));
      });
      this.child.once('close', (code, signal) => {
        this.hasEnded = true;
        clearTimeout(this.killer);
        // A helper that let go of the pipes may have stayed.
        this.signal('SIGKILL');
        if (code === 0) resolve();
        else reject(this.failure(code, signal));
      });
    });
  }

  private failure(status: number | null, signal: NodeJS.Signals | null): GitError {
    const command = this.args.find((argument) => !argument.startsWith('-')) ?? '';
    if (status === null) {
      return new GitError('GIT_COMMAND_STOPPED', `git ${command} was ended by ${String(signal)}`);
    }
    const said = String(this.complaint) || 'it does not say why';
    const message = `git ${command} ended with ${status}: ${said}`;
    return new GitError('GIT_COMMAND_FAILED', message, this.complaint);
  }

  private signal(name: NodeJS.Signals): void {
    const { pid } = this.child;
    if (pid === undefined) return;
    try {
      process.kill(-pid, name);
    } catch (error) {
      if (!GONE.has((error as NodeJS.ErrnoException).code)) throw error;
    }
  }
}
