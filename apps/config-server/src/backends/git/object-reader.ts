// Reads objects of a clone through one long-running `git cat-file --batch`.
import { GitError } from './git-error.js';
import type { GitProcess, GitProgram } from './git-program.js';

export interface GitObject {
  readonly id: string;
  readonly type: string;
  readonly content: Buffer;
}

/** The object; undefined for none or for an ambiguous name; `too large` above the limit. */
export type ReadResult = GitObject | 'too large' | undefined;

export class ObjectReader {
  private process: CatFileProcess | undefined;

  /** @param limit bytes of an object */
  constructor(
    private readonly git: GitProgram,
    private readonly limit: number,
  ) {}

  /**
   * @param name hexadecimal digits of an id, with or without `^{commit}`
   * @throws GitError where git fails; the next call starts another process
   */
  async read(name: string): Promise<ReadResult> {
    if (this.process === undefined || this.process.hasEnded) {
      const child = this.git.start(['cat-file', '--batch']);
      this.process = new CatFileProcess(child, this.limit, this.git.timeout);
    }
    return this.process.read(name);
  }
}

interface PendingRead {
  resolve(result: ReadResult): void;
  reject(error: unknown): void;
}

/** One process: it answers reads in order, and its end rejects all pending reads. */
class CatFileProcess {
  hasEnded = false;
  private readonly pending: PendingRead[] = [];
  private readonly parser: CatFileParser;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly child: GitProcess,
    limit: number,
    private readonly timeout: number,
  ) {
    this.parser = new CatFileParser(limit, (result) => this.settle(result));
    child.onOutput((chunk) => this.parser.write(chunk));
    child.ended.then(
      () => this.fail(new GitError('GIT_COMMAND_STOPPED', 'git cat-file ended')),
      (error: unknown) => this.fail(error),
    );
  }

  read(name: string): Promise<ReadResult> {
    return new Promise((resolve, reject) => {
      this.pending.push({ resolve, reject });
      if (this.pending.length === 1) this.restartTimer();
      this.child.stdin.write(`${name}\n`);
    });
  }

  private settle(result: ReadResult): void {
    this.pending.shift()?.resolve(result);
    this.restartTimer();
  }

  private fail(error: unknown): void {
    this.hasEnded = true;
    clearTimeout(this.timer);
    for (const read of this.pending.splice(0)) read.reject(error);
  }

  /** The time limit applies to the first pending read. */
  private restartTimer(): void {
    clearTimeout(this.timer);
    if (this.pending.length === 0) return;
    this.timer = setTimeout(() => {
      this.fail(new GitError('GIT_COMMAND_STOPPED', `git cat-file took over ${this.timeout} ms`));
      this.child.kill();
    }, this.timeout);
  }
}

interface PartialObject {
  readonly id: string;
  readonly type: string;
  readonly size: number;
  /** Bytes still to come, with the line feed after the content. */
  remaining: number;
  readonly chunks: Buffer[];
}

const HEADER = /^([0-9a-f]{40,64}) ([a-z]+) (\d+)$/;
const LINE_FEED = 0x0a;

/** Parses the output of `git cat-file --batch`, in chunks of any size. @see git-cat-file(1), "BATCH OUTPUT" */
export class CatFileParser {
  private header = '';
  private current: PartialObject | undefined;

  /** @param limit bytes of an object; the content of larger ones is not kept */
  constructor(
    private readonly limit: number,
    private readonly onResult: (result: ReadResult) => void,
  ) {}

  write(chunk: Buffer): void {
    for (let rest = chunk; rest.length > 0;) {
      rest =
        this.current === undefined ? this.readHeader(rest) : this.readContent(rest, this.current);
    }
  }

  /** Returns the bytes after the header. */
  private readHeader(chunk: Buffer): Buffer {
    const end = chunk.indexOf(LINE_FEED);
    this.header += chunk.toString('latin1', 0, end < 0 ? chunk.length : end);
    if (end < 0) return chunk.subarray(chunk.length);
    const [, id, type = '', digits] = HEADER.exec(this.header) ?? [];
    this.header = '';
    if (id === undefined) this.onResult(undefined);
    else {
      const size = Number(digits);
      this.current = { id, type, size, remaining: size + 1, chunks: [] };
    }
    return chunk.subarray(end + 1);
  }

  /** Returns the bytes after the content. */
  private readContent(chunk: Buffer, object: PartialObject): Buffer {
    const content = chunk.subarray(0, object.remaining);
    object.remaining -= content.length;
    if (object.size <= this.limit) object.chunks.push(content);
    if (object.remaining === 0) {
      this.current = undefined;
      this.onResult(object.size <= this.limit ? completed(object) : 'too large');
    }
    return chunk.subarray(content.length);
  }
}

function completed({ id, type, size, chunks }: PartialObject): GitObject {
  return { id, type, content: Buffer.concat(chunks).subarray(0, size) };
}
