// Cuts what a server says into messages, and bounds how long one may be. What is in them is not known here.
import { extentOf, notLdap } from './ber.js';

const SEQUENCE = 0x30;
/** Joined when there are more: many small ones weigh more than their bytes. */
const MOST_CHUNKS = 1_024;

/**
 * Where the message that begins here ends; `undefined` while its header is not whole.
 *
 * @param longest in bytes
 * @throws Error where no message begins here, or a longer one
 */
export function endOfMessage(bytes: Buffer, longest: number): number | undefined {
  if (bytes[0] !== undefined && bytes[0] !== SEQUENCE) throw notLdap('no message begins so');
  const end = extentOf(bytes, 0)?.end;
  if (end !== undefined && end > longest) throw notLdap(`a message of ${end} bytes`);
  return end;
}

export class MessageSplitter {
  private chunks: Buffer[] = [];
  private held = 0;
  /** Fewer bytes tell nothing new: those that come one by one are not joined each time. */
  private wanted = 1;

  /** @param longest in bytes */
  constructor(private readonly longest: number) {}

  /** The messages that are whole with these bytes. @throws Error, and is of no use afterwards */
  *cut(chunk: Buffer): Generator<Buffer> {
    this.chunks.push(chunk);
    this.held += chunk.length;
    if (this.chunks.length > MOST_CHUNKS) this.joined();
    while (this.held >= this.wanted) {
      const bytes = this.joined();
      const end = endOfMessage(bytes, this.longest);
      if (end !== undefined && end <= bytes.length) {
        this.keep(bytes.subarray(end));
        yield bytes.subarray(0, end);
      } else {
        this.wanted = end ?? bytes.length + 1;
      }
    }
  }

  private joined(): Buffer {
    const [only = Buffer.alloc(0), ...more] = this.chunks;
    const bytes = more.length === 0 ? only : Buffer.concat(this.chunks);
    this.chunks = [bytes];
    return bytes;
  }

  private keep(rest: Buffer): void {
    this.chunks = [rest];
    this.held = rest.length;
    this.wanted = 1;
  }
}
