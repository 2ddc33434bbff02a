import { isLocked, isUnavailable } from '@tessera/database';

/** Whether a batch may have failed for one of its requests alone: a row that is locked, or what PostgreSQL cannot store. */
export function isOfOneRequest(error: unknown): boolean {
  return isLocked(error) || !isUnavailable(error);
}
