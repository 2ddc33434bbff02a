// Owns answers that a caller may have already: validators, and 304 where they still hold. @see RFC 9110 §13
import type { IncomingMessage, ServerResponse } from 'node:http';
import { send } from '@tessera/server';

export interface ConditionalAnswer {
  readonly type: string;
  readonly body: string | Buffer;
  /** Of a body that is text; UTF-8 unless told. */
  readonly encoding?: 'latin1';
  /** Strong. */
  readonly etag: string;
  readonly modified?: Date;
  /** Request headers that decide about the body. */
  readonly vary?: string;
}

/** A caller may keep it, but has to ask each time whether it still holds; others may not. */
const CACHE_CONTROL = 'private, no-cache';

/** Sends 200 with the body, or 304 where the caller's copy is as good. */
export function sendConditional(
  { headers }: IncomingMessage,
  response: ServerResponse,
  { etag, modified, vary, ...content }: ConditionalAnswer,
): void {
  const validators = {
    ETag: etag,
    'Cache-Control': CACHE_CONTROL,
    ...(modified && { 'Last-Modified': modified.toUTCString() }),
    ...(vary !== undefined && { Vary: vary }),
  };
  if (isCurrent(headers, etag, modified)) response.writeHead(304, validators).end();
  else send(response, { status: 200, ...content, headers: validators });
}

/** A tag decides alone where there is one: seconds are too coarse beside it. */
function isCurrent(
  headers: IncomingMessage['headers'],
  etag: string,
  modified: Date | undefined,
): boolean {
  const tags = headers['if-none-match'];
  if (tags !== undefined) return tags === etag || tags.trim() === '*' || names(tags, etag);
  const since = headers['if-modified-since'];
  if (since === undefined || modified === undefined) return false;
  return Math.floor(modified.getTime() / 1_000) * 1_000 <= Date.parse(since);
}

/** A weak tag serves as well: proxies that compress weaken ours. */
function names(tags: string, etag: string): boolean {
  return tags.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag);
}
