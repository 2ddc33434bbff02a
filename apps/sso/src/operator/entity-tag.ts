// Entity tags, so that nobody overwrites a change that he has not seen. @see RFC 9110 §13.1.1
import { Answer } from '@tessera/server';
import { ProblemError } from './problem.js';

const JSON_TYPE = 'application/json; charset=utf-8';

/** Shows something with its tag. @param revision of the row */
export function taggedAnswer(shown: object, revision: string): Answer {
  return new Answer(200, JSON_TYPE, JSON.stringify(shown), { ETag: tagOf(revision) });
}

/** Shows what was added. @param location its path @param revision of its row, if it has a tag */
export function createdAnswer(shown: object, location: string, revision?: string): Answer {
  const headers = {
    ...(revision !== undefined && { ETag: tagOf(revision) }),
    Location: location,
  };
  return new Answer(201, JSON_TYPE, JSON.stringify(shown), headers);
}

/** @throws ProblemError PRECONDITION_REQUIRED without `If-Match` */
export function requiredTag(ifMatch: string | undefined): string {
  if (ifMatch !== undefined) return ifMatch.trim();
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
