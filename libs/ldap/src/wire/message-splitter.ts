// Splits a byte stream into LDAP messages of bounded length.
import { extentOf, notLdap } from './ber.js';

const SEQUENCE = 0x30;
/** More chunks are joined: many small buffers take more memory than their bytes. */
const MAX_CHUNKS = 1_024;

/**
 * The end of the message at the start of the bytes; `undefined` while its header is incomplete.
 *
 * @param longest in bytes
 * @throws Error for bytes that are not a message, and for a longer message
 */
export function endOfMessage(bytes: Buffer, longest: number): number | undefined {
  if (bytes[0] !== undefined && bytes[0] !== SEQUENCE) throw notLdap('not the start of a message');
  const end = extentOf(bytes, 0)?.end;
  if (end !== undefined && end > longest) throw notLdap(`a message of ${end} bytes`);
  return end;
}

export class MessageSplitter {
  private chunks: Buffer[] = [];
  private size = 0;
  /** Chunks are not joined before this size, so that single bytes are cheap. */
  private neededSize = 1;

  /** @param maxBytes in bytes */
  constructor(private readonly maxBytes: number) {}

  /** The messages that these bytes complete. @throws Error, after which the splitter is unusable */
  *cut(chunk: Buffer): Generator<Buffer> {
    this.chunks.push(chunk);
    this.size += chunk.length;
    if (this.chunks.length > MAX_CHUNKS) this.joined();
    while (this.size >= this.neededSize) {
      const bytes = this.joined();
      const end = endOfMessage(bytes, this.maxBytes);
      if (end !== undefined && end <= bytes.length) {
        this.keep(bytes.subarray(end));
        yield bytes.subarray(0, end);
      } else {
        this.neededSize = end ?? bytes.length + 1;
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
    this.size = rest.length;
    this.neededSize = 1;
  }
}
