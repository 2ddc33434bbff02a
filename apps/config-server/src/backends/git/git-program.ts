// Owns running git on one clone: bounded in time and output, and nothing left behind. Which commands is not known here.
import { requireTrusted } from './clone-permissions.js';
import { GitError } from './git-error.js';
import { GitProcess } from './git-process.js';

export interface GitEnvironments {
  readonly local: NodeJS.ProcessEnv;
  /** For commands that talk to the remote repository. */
  readonly remote: NodeJS.ProcessEnv;
}

/** Bytes that a command may say: the files of a commit, or the names of all branches and tags. */
const LARGEST_OUTPUT = 16 * 1_024 * 1_024;

const OLDEST = [2, 32] as const;

export class GitProgram {
  private readonly running = new Set<GitProcess>();
  private isClosed = false;

  /** @param timeout of one command, in milliseconds */
  constructor(
    readonly directory: string,
    private readonly environments: GitEnvironments,
    readonly timeout: number,
  ) {}

  /** @throws GitError GIT_UNUSABLE where there is no git, or one that does not know what is asked of it */
  async requireVersion(): Promise<void> {
    const said = (await this.run(['version'])).toString('latin1').trim();
    const [, major, minor] = /^git version (\d+)\.(\d+)/.exec(said)?.map(Number) ?? [];
    if (major === undefined || minor === undefined) return;
    if (major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1])) return;
    throw new GitError(
      'GIT_UNUSABLE',
      `${said} is too old: ${OLDEST.join('.')} or newer is needed`,
    );
  }

  /** What a command says. @throws GitError */
  async run(args: readonly string[], where: keyof GitEnvironments = 'local'): Promise<Buffer> {
    const child = this.start(args, where);
    const chunks: Buffer[] = [];
    let room = LARGEST_OUTPUT;
    let fault: string | undefined;
    const giveUp = (why: string): void => {
      fault ??= why;
      chunks.length = 0;
      child.kill();
    };
    child.onOutput((chunk) => {
      room -= chunk.length;
      if (room < 0) giveUp(`said more than ${LARGEST_OUTPUT} bytes`);
      else chunks.push(chunk);
    });
    const timer = setTimeout(() => giveUp(`took more than ${this.timeout} ms`), this.timeout);
    child.stdin.end();
    try {
      await child.ended;
    } catch (error) {
      if (fault === undefined) throw error;
    } finally {
      clearTimeout(timer);
    }
    if (fault === undefined) return Buffer.concat(chunks);
    throw new GitError('GIT_COMMAND_STOPPED', `git ${String(args[0])} ${fault}`);
  }

  /**
   * A process that its caller talks to and ends.
   * @throws GitError after {@link close}, and where others may write in the clone
   */
  start(args: readonly string[], where: keyof GitEnvironments = 'local'): GitProcess {
    if (this.isClosed) throw new GitError('GIT_UNUSABLE', 'the backend git is closed');
    // Each time: a clone that was removed may be another's by now, and git itself does not ask whose `--git-dir` it is.
    requireTrusted(this.directory);
    const child = new GitProcess(
      [`--git-dir=${this.directory}`, ...args],
      this.environments[where],
    );
    this.running.add(child);
    const forget = (): void => void this.running.delete(child);
    child.ended.then(forget, forget);
    return child;
  }

  /** Ends what runs, and returns when it has. */
  async close(): Promise<void> {
    this.isClosed = true;
    const left = [...this.running];
    for (const child of left) child.kill();
    await Promise.allSettled(left.map((child) => child.ended));
  }
}
