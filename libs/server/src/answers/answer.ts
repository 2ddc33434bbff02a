// Answers of handlers and filters, and how they are sent: uncacheable, with a type and a length, and without headers a framework adds.
import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';

export const TEXT = 'text/plain;charset=UTF-8';

/** The largest body that is copied to send head and body in one write. */
const MAX_JOINED_BYTES = 65_536;
const CHUNK_BYTES = 262_144;

/** Headers of every answer. */
export const UNCACHED = {
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
} as const;

/** Headers of an answer while the database is unavailable: retry soon. */
export const UNAVAILABLE_HEADERS = { 'Retry-After': '2' } as const;

/** A handler returns it, and the HTTP adapter sends it. */
export class Answer {
  /** @param type Content-Type with its charset */
  constructor(
    readonly status: number,
    readonly type: string,
    readonly body: string | Buffer,
    readonly headers: OutgoingHttpHeaders = {},
  ) {}

  /** The same answer, which also sets a cookie. @param cookie a value of `Set-Cookie` */
  withCookie(cookie: string): Answer {
    const cookies = [cookie, this.headers['Set-Cookie'] ?? []].flat() as string[];
    const headers = { ...this.headers, 'Set-Cookie': cookies };
    return new Answer(this.status, this.type, this.body, headers);
  }
}

/** A plain text answer; the body as given, without a newline. */
export function text(status: number, body: string, headers?: OutgoingHttpHeaders): Answer {
  return new Answer(status, TEXT, body, headers);
}

export function json(status: number, content: unknown, headers?: OutgoingHttpHeaders): Answer {
  return new Answer(status, 'application/json', JSON.stringify(content), headers);
}

/** A redirect: 302 or 303. @param location ASCII */
export function redirect(status: number, location: string): Answer {
  return text(status, '', { Location: location, 'Referrer-Policy': 'no-referrer' });
}

/** Sends the answer whole, with `Cache-Control: no-store` and `X-Content-Type-Options: nosniff`. */
export function send(response: ServerResponse, { status, type, body, headers }: Answer): void {
  if (status === 304) {
    response.writeHead(status, headers).end();
    return;
  }
  response.writeHead(status, {
    'Content-Type': type,
    'Content-Length': Buffer.byteLength(body),
    ...UNCACHED,
    ...headers,
  });
  // Node sends head and body in one write only if the body is text. As latin1, each byte is a character.
  if (typeof body === 'string') response.end(body);
  else if (body.length > MAX_JOINED_BYTES) writeInChunks(response, body);
  else response.end(body.toString('latin1'), 'latin1');
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
