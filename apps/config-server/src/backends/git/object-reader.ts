// Owns reading objects of a clone by one process of git that lives as long as it is asked. What they mean is not known here.
import { BatchAnswers, type BatchAnswer } from './batch-answers.js';
import { GitError } from './git-error.js';
import type { GitProcess } from './git-process.js';
import type { GitProgram } from './git-program.js';

interface Waiting {
  resolve(answer: BatchAnswer): void;
  reject(error: unknown): void;
}

export class ObjectReader {
  private batch: Batch | undefined;

  /** @param limit bytes of an object */
  constructor(
    private readonly git: GitProgram,
    private readonly limit: number,
  ) {}

  /**
   * @param name hexadecimal digits of an id, and perhaps `^{commit}`
   * @throws GitError where git fails; the next call tries again
   */
  async read(name: string): Promise<BatchAnswer> {
    if (this.batch === undefined || this.batch.isOver) {
      this.batch = new Batch(this.git.start(['cat-file', '--batch']), this.limit, this.git.timeout);
    }
    return this.batch.ask(name);
  }
}

/** One process: questions are answered in their order, or fail together. */
class Batch {
  isOver = false;
  private readonly waiting: Waiting[] = [];
  private readonly answers: BatchAnswers;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly child: GitProcess,
    limit: number,
    private readonly timeout: number,
  ) {
    this.answers = new BatchAnswers(limit, (answer) => this.settle(answer));
    child.onOutput((chunk) => this.answers.take(chunk));
    child.ended.then(
      () => this.fail(new GitError('GIT_COMMAND_STOPPED', 'git cat-file ended')),
      (error: unknown) => this.fail(error),
    );
  }

  ask(name: string): Promise<BatchAnswer> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ resolve, reject });
      if (this.waiting.length === 1) this.watch();
      this.child.stdin.write(`${name}\n`);
    });
  }

  private settle(answer: BatchAnswer): void {
    this.waiting.shift()?.resolve(answer);
    this.watch();
  }

  private fail(error: unknown): void {
    this.isOver = true;
    clearTimeout(this.timer);
    for (const asker of this.waiting.splice(0)) asker.reject(error);
  }

  /** Gives the first of those who wait its time. */
  private watch(): void {
    clearTimeout(this.timer);
    if (this.waiting.length === 0) return;
    this.timer = setTimeout(() => {
      this.fail(new GitError('GIT_COMMAND_STOPPED', `git cat-file took over ${this.timeout} ms`));
      this.child.kill();
    }, this.timeout);
  }
}
