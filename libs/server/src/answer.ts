// Owns how an answer is written: every one is uncacheable and typed, with nothing a framework adds by itself.
import type { ServerResponse } from 'node:http';

export const TEXT = 'text/plain;charset=UTF-8';

/** In bytes; a larger body is not worth a copy of it. */
const LARGEST_JOINED = 65_536;

export interface Answer {
  readonly status: number;
  /** Content-Type with its charset. */
  readonly type: string;
  /** Bytes as they are, or text in UTF-8. */
  readonly body: string | Buffer;
  /** Further headers, name and value. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** Sends the answer whole, with `Cache-Control: no-store` and `X-Content-Type-Options: nosniff`. */
export function send(response: ServerResponse, answer: Answer): void {
  const headers = {
    'Content-Type': answer.type,
    'Content-Length': Buffer.byteLength(answer.body),
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
  };
  response.writeHead(answer.status, answer.headers ? { ...headers, ...answer.headers } : headers);
  const { body } = answer;
  // Node sends head and body as one only where the body is text. As latin1, each byte is a character.
  if (typeof body === 'string' || body.length > LARGEST_JOINED) response.end(body);
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
