// Cuts a stream into lines, of which none may fill the memory.

const LINE_END = 0x0a;

/**
 * The lines of a stream, without their ends; `undefined` for one of more than `maxBytes`.
 *
 * Only a line feed ends one: what Unicode knows beside stands in JSON texts as it is.
 */
export async function* linesOf(
  chunks: AsyncIterable<Buffer | string>,
  maxBytes: number,
): AsyncGenerator<Buffer | undefined> {
  const line = new Line(maxBytes);
  for await (const chunk of chunks) {
    let rest = Buffer.from(chunk);
    for (let end = rest.indexOf(LINE_END); end >= 0; end = rest.indexOf(LINE_END)) {
      line.add(rest.subarray(0, end));
      yield line.take();
      rest = rest.subarray(end + 1);
    }
    line.add(rest);
  }
  if (line.size > 0) yield line.take();
}

/** A line that grows, and is let go when it has grown too long. */
class Line {
  size = 0;
  private parts: Buffer[] = [];

  constructor(private readonly maxBytes: number) {}

  add(part: Buffer): void {
    this.size += part.length;
    if (this.size > this.maxBytes) {
      this.parts = [];
    } else if (part.length > 0) {
      this.parts.push(part);
    }
  }

  take(): Buffer | undefined {
    const bytes = this.size > this.maxBytes ? undefined : Buffer.concat(this.parts);
    this.parts = [];
    this.size = 0;
    return bytes;
  }
}
