// Answers with validators, and 304 for a copy that is still current. @see RFC 9110 §13
import type { IncomingMessage } from 'node:http';
import { Answer } from '@tessera/server';

export interface Representation {
  readonly type: string;
  readonly body: Buffer;
  /** Strong. */
  readonly etag: string;
  readonly modified?: Date;
  /** The request headers that select the body. */
  readonly vary?: string;
}

/** Callers may store the response but must revalidate it; shared caches may not store it. */
const CACHE_CONTROL = 'private, no-cache';

/** 200 with the body, or 304 if the caller's copy is current. */
export function conditionalAnswer(
  { headers }: IncomingMessage,
  { type, body, etag, modified, vary }: Representation,
): Answer {
  const validators = {
    ETag: etag,
    'Cache-Control': CACHE_CONTROL,
    ...(modified && { 'Last-Modified': modified.toUTCString() }),
    ...(vary !== undefined && { Vary: vary }),
  };
  return new Answer(isCurrent(headers, etag, modified) ? 304 : 200, type, body, validators);
}

/** `If-None-Match` has precedence: a date has a resolution of one second only. */
function isCurrent(
  headers: IncomingMessage['headers'],
  etag: string,
  modified: Date | undefined,
): boolean {
  const tags = headers['if-none-match'];
  if (tags !== undefined) return tags === etag || tags.trim() === '*' || includesTag(tags, etag);
  const since = headers['if-modified-since'];
  if (since === undefined || modified === undefined) return false;
  return Math.floor(modified.getTime() / 1_000) * 1_000 <= Date.parse(since);
}

/** Weak comparison: proxies that compress responses make our tags weak. */
function includesTag(tags: string, etag: string): boolean {
  return tags.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag);
}
