// Splits a byte stream into LDAP messages of bounded length.
import { extentOf, notLdap } from './ber.js';

const SEQUENCE = 0x30;

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
  private rest = Buffer.alloc(0);

  constructor(private readonly maxBytes: number) {}

  /** The messages that these bytes complete. @throws Error, after which the splitter is unusable */
  *cut(chunk: Buffer): Generator<Buffer> {
    this.rest = Buffer.concat([this.rest, chunk]);
    for (;;) {
      const end = endOfMessage(this.rest, this.maxBytes);
      if (end === undefined || end > this.rest.length) return;
      const message = this.rest.subarray(0, end);
      this.rest = this.rest.subarray(end);
      yield message;
    }
  }
}
