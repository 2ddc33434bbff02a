// Sends HTTP answers: uncacheable, with a type and a length, and without headers a framework adds.
import type { ServerResponse } from 'node:http';

export const TEXT = 'text/plain;charset=UTF-8';

/** The largest body that is copied to send head and body in one write. */
const MAX_JOINED_BYTES = 65_536;
const CHUNK_BYTES = 262_144;

export interface Answer {
  readonly status: number;
  /** Content-Type with its charset. */
  readonly type: string;
  /** Bytes, or text in {@link encoding}. */
  readonly body: string | Buffer;
  /** Default UTF-8. In latin1 each character is a byte: frequent answers use it, since Node sends text faster. */
  readonly encoding?: 'latin1';
  /** Further headers, name and value. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** Headers of an answer while the database is unavailable: retry soon. */
export const UNAVAILABLE_HEADERS = { 'Retry-After': '2' } as const;

/** Sends the answer whole, with `Cache-Control: no-store` and `X-Content-Type-Options: nosniff`. */
export function send(response: ServerResponse, answer: Answer): void {
  const { body, encoding = 'utf8' } = answer;
  response.writeHead(answer.status, {
    'Content-Type': answer.type,
    'Content-Length': Buffer.byteLength(body, encoding),
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    ...answer.headers,
  });
  // Node sends head and body in one write only if the body is text. As latin1, each byte is a character.
  if (typeof body === 'string') response.end(body, encoding);
  else if (body.length > MAX_JOINED_BYTES) writeInChunks(response, body);
  else response.end(body.toString('latin1'), 'latin1');
}

/** A plain text answer; the body as given, without a newline. */
export function text(
  status: number,
  body: string,
  headers?: Readonly<Record<string, string>>,
): Answer {
  return { status, type: TEXT, body, ...(headers && { headers }) };
}

/**
 * Writes a large body in chunks. Over TLS Node sees no progress within one write, so its timeout would cut off a caller
 * that reads slowly.
 */
function writeInChunks(response: ServerResponse, body: Buffer): void {
  let sent = 0;
  const writeNext = (): void => {
    while (sent < body.length) {
      const chunk = body.subarray(sent, sent + CHUNK_BYTES);
      sent += chunk.length;
      if (!response.write(chunk)) {
        response.once('drain', writeNext);
        return;
      }
    }
    response.end();
  };
  writeNext();
}
