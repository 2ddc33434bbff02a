// Owns how an answer is written: every one is uncacheable and typed, with nothing a framework adds by itself.
import type { ServerResponse } from 'node:http';
import { writeInChunks } from './chunked-write.js';

export const TEXT = 'text/plain;charset=UTF-8';

/** In bytes; a larger body is not worth a copy of it. */
const LARGEST_JOINED = 65_536;

export interface Answer {
  readonly status: number;
  /** Content-Type with its charset. */
  readonly type: string;
  /** Bytes as they are, or text in {@link encoding}. */
  readonly body: string | Buffer;
  /** UTF-8 unless told. In latin1 each character is a byte: what is sent often is kept so, since Node sends text faster. */
  readonly encoding?: 'latin1';
  /** Further headers, name and value. */
  readonly headers?: Readonly<Record<string, string>>;
}

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
  // Node sends head and body as one only where the body is text. As latin1, each byte is a character.
  if (typeof body === 'string') response.end(body, encoding);
  else if (body.length > LARGEST_JOINED) writeInChunks(response, body);
  else response.end(body.toString('latin1'), 'latin1');
}

/** A plain text answer; the body as it is, without a newline. */
export function text(
  status: number,
  body: string,
  headers?: Readonly<Record<string, string>>,
): Answer {
  return { status, type: TEXT, body, ...(headers && { headers }) };
}

/** What a caller is told while the database is away: come back soon. */
export const UNAVAILABLE_HEADERS = { 'Retry-After': '2' } as const;
