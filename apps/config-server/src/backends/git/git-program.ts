// Runs git commands on one clone, with limits on time and output, and ends every process that they start.
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { GitError, GitStderr } from './git-error.js';

export interface GitEnvironments {
  readonly local: NodeJS.ProcessEnv;
  /** For commands that connect to the remote repository. */
  readonly remote: NodeJS.ProcessEnv;
}

/** Enough for the file list of a commit and for the names of all branches and tags. */
const MAX_OUTPUT_BYTES = 16 * 1_024 * 1_024;
const MINIMUM_VERSION = [2, 32] as const;
/** From SIGTERM to SIGKILL. */
const KILL_TIMEOUT_MS = 2_000;
/** Codes for a process group without processes. macOS answers EPERM while the last one is a zombie. */
const GROUP_GONE: ReadonlySet<string | undefined> = new Set(['ESRCH', 'EPERM']);

export class GitProgram {
  private readonly running = new Set<GitProcess>();
  private isClosed = false;

  /** @param timeout of one command, in milliseconds */
  constructor(
    readonly directory: string,
    private readonly environments: GitEnvironments,
    readonly timeout: number,
  ) {}

  /** @throws GitError GIT_UNUSABLE where git is missing or too old */
  async requireVersion(): Promise<void> {
    const version = (await this.run(['version'])).toString('latin1').trim();
    const [, major, minor] = /^git version (\d+)\.(\d+)/.exec(version)?.map(Number) ?? [];
    if (major === undefined || minor === undefined) return;
    if (major > MINIMUM_VERSION[0]) return;
    if (major === MINIMUM_VERSION[0] && minor >= MINIMUM_VERSION[1]) return;
    const needed = MINIMUM_VERSION.join('.');
    throw new GitError('GIT_UNUSABLE', `${version} is too old: ${needed} or newer is needed`);
  }

  /** The standard output of a command. @throws GitError */
  async run(args: readonly string[], where: keyof GitEnvironments = 'local'): Promise<Buffer> {
    const child = this.start(args, where);
    const chunks: Buffer[] = [];
    let bytesLeft = MAX_OUTPUT_BYTES;
    let stopReason: string | undefined;
    const stop = (reason: string): void => {
      stopReason ??= reason;
      chunks.length = 0;
      child.kill();
    };
    child.onOutput((chunk) => {
      bytesLeft -= chunk.length;
      if (bytesLeft < 0) stop(`wrote more than ${MAX_OUTPUT_BYTES} bytes`);
      else chunks.push(chunk);
    });
    const timer = setTimeout(() => stop(`took more than ${this.timeout} ms`), this.timeout);
    child.stdin.end();
    try {
      await child.ended;
    } catch (error) {
      if (stopReason === undefined) throw error;
    } finally {
      clearTimeout(timer);
    }
    if (stopReason === undefined) return Buffer.concat(chunks);
    throw new GitError('GIT_COMMAND_STOPPED', `git ${String(args[0])} ${stopReason}`);
  }

  /**
   * Starts a process that the caller writes to and ends.
   * @throws GitError after {@link close}
   */
  start(args: readonly string[], where: keyof GitEnvironments = 'local'): GitProcess {
    if (this.isClosed) throw new GitError('GIT_UNUSABLE', 'the backend git is closed');
    const child = new GitProcess(
      [`--git-dir=${this.directory}`, ...args],
      this.environments[where],
    );
    this.running.add(child);
    const remove = (): void => void this.running.delete(child);
    child.ended.then(remove, remove);
    return child;
  }

  /** Ends all running commands and waits for their end. */
  async close(): Promise<void> {
    this.isClosed = true;
    const children = [...this.running];
    for (const child of children) child.kill();
    await Promise.allSettled(children.map((child) => child.ended));
  }
}

/** One git process and the processes that it starts, as a process group. */
export class GitProcess {
  /** Settles when the process and all holders of its pipes have ended. @throws GitError where it failed */
  readonly ended: Promise<void>;
  private readonly child: ChildProcessWithoutNullStreams;
  private readonly stderr = new GitStderr();
  private hasEnded = false;
  private killTimer: NodeJS.Timeout | undefined;

  constructor(
    private readonly args: readonly string[],
    env: NodeJS.ProcessEnv,
  ) {
    // A process group of its own: its helpers end with it, and Ctrl-C at our terminal does not reach it.
    this.child = spawn('git', args, { env, cwd: '/', detached: true });
    this.child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.stderr.append(text);
    });
    // `ended` reports the end of the process.
    this.child.stdin.on('error', () => {});
    this.ended = this.awaitEnd();
    this.ended.catch(() => {});
  }

  get stdin(): NodeJS.WritableStream {
    return this.child.stdin;
  }

  onOutput(listener: (chunk: Buffer) => void): void {
    this.child.stdout.on('data', listener);
  }

  /** Sends SIGTERM to the process group, and SIGKILL if it is still running after {@link KILL_TIMEOUT_MS}. */
  kill(): void {
    if (this.hasEnded || this.killTimer !== undefined) return;
    this.signal('SIGTERM');
    this.killTimer = setTimeout(() => {
      this.signal('SIGKILL');
      this.child.stdout.destroy();
      this.child.stderr.destroy();
    }, KILL_TIMEOUT_MS);
  }

  private awaitEnd(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.child.once('error', (error) => {
        this.hasEnded = true;
        reject(new GitError('GIT_UNUSABLE', `the program git cannot be run: ${error.message}`));
      });
      this.child.once('close', (code, signal) => {
        this.hasEnded = true;
        clearTimeout(this.killTimer);
        // A helper that closed the pipes may still run.
        this.signal('SIGKILL');
        if (code === 0) resolve();
        else reject(this.errorFor(code, signal));
      });
    });
  }

  private errorFor(status: number | null, signal: NodeJS.Signals | null): GitError {
    const command = this.args.find((argument) => !argument.startsWith('-')) ?? '';
    if (status === null) {
      return new GitError('GIT_COMMAND_STOPPED', `git ${command} was ended by ${String(signal)}`);
    }
    const reason = String(this.stderr) || 'no error message';
    return new GitError('GIT_COMMAND_FAILED', `git ${command} ended with ${status}: ${reason}`);
  }

  private signal(name: NodeJS.Signals): void {
    const { pid } = this.child;
    if (pid === undefined) return;
    try {
      process.kill(-pid, name);
    } catch (error) {
      if (!GROUP_GONE.has((error as NodeJS.ErrnoException).code)) throw error;
    }
  }
}
