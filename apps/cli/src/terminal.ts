// Where commands read and write: the streams of the process, or a test's.
import type { Readable, Writable } from 'node:stream';

export interface Terminal {
  /** `isTTY` where somebody types. */
  readonly stdin: Readable & { readonly isTTY?: boolean };
  /** `isTTY` where somebody reads. */
  readonly stdout: Writable & { readonly isTTY?: boolean };
  readonly stderr: Writable;
}

/** Writes `text` and a line end. */
export function writeLine(stream: Writable, text: string): void {
  stream.write(`${text}\n`);
}
