// Owns reading what `git cat-file --batch` writes, in whatever pieces it comes. What was asked is not known here.

export interface GitObject {
  readonly id: string;
  readonly type: string;
  readonly content: Buffer;
}

/** Of an object: itself; undefined where there is none, or several; `too large` beyond the bound. */
export type BatchAnswer = GitObject | 'too large' | undefined;

interface OpenAnswer {
  readonly id: string;
  readonly type: string;
  readonly size: number;
  /** Bytes to come, the line feed behind the content included. */
  remaining: number;
  readonly chunks: Buffer[];
}

const HEADER = /^([0-9a-f]{40,64}) ([a-z]+) (\d+)$/;
const LINE_FEED = 0x0a;

/** @see git-cat-file(1), "BATCH OUTPUT" */
export class BatchAnswers {
  private header = '';
  private open: OpenAnswer | undefined;

  /** @param limit bytes of an object; those of a larger one are dropped as they come */
  constructor(
    private readonly limit: number,
    private readonly answer: (answer: BatchAnswer) => void,
  ) {}

  take(chunk: Buffer): void {
    for (let rest = chunk; rest.length > 0;) {
      rest = this.open === undefined ? this.takeHeader(rest) : this.takeContent(rest, this.open);
    }
  }

  private takeHeader(piece: Buffer): Buffer {
    const end = piece.indexOf(LINE_FEED);
    this.header += piece.toString('latin1', 0, end < 0 ? piece.length : end);
    if (end < 0) return piece.subarray(piece.length);
    const [, id, type = '', written] = HEADER.exec(this.header) ?? [];
    this.header = '';
    if (id === undefined) this.answer(undefined);
    else {
      const size = Number(written);
      this.open = { id, type, size, remaining: size + 1, chunks: [] };
    }
    return piece.subarray(end + 1);
  }

  private takeContent(piece: Buffer, open: OpenAnswer): Buffer {
    const taken = piece.subarray(0, open.remaining);
    open.remaining -= taken.length;
    if (open.size <= this.limit) open.chunks.push(taken);
    if (open.remaining === 0) {
      this.open = undefined;
      this.answer(open.size <= this.limit ? closed(open) : 'too large');
    }
    return piece.subarray(taken.length);
  }
}

function closed({ id, type, size, chunks }: OpenAnswer): GitObject {
  return { id, type, content: Buffer.concat(chunks).subarray(0, size) };
}
