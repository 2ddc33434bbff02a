// Entity tags, so that nobody overwrites a change that he has not seen. @see RFC 9110 §13.1.1
import type { IncomingMessage, ServerResponse } from 'node:http';
import { ProblemError } from './problem.js';

/** @param revision of the row */
export function setEntityTag(response: ServerResponse, revision: string): void {
  response.setHeader('ETag', tagOf(revision));
}

/** @throws ProblemError PRECONDITION_REQUIRED without `If-Match` */
export function requiredTag(request: IncomingMessage): string {
  const given = request.headers['if-match'];
  if (given !== undefined) return given.trim();
  throw new ProblemError('PRECONDITION_REQUIRED', 'If-Match must name the ETag of what is changed');
}

/** @throws ProblemError CHANGED_MEANWHILE where it is not the tag of this revision */
export function requireMatch(tag: string, revision: string): void {
  if (tag === tagOf(revision)) return;
  throw new ProblemError('CHANGED_MEANWHILE', 'it was changed meanwhile: read it again');
}

function tagOf(revision: string): string {
  return `"${revision}"`;
}
