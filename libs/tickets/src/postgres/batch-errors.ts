// Which errors of a batch may belong to one of its requests.
import { isLocked, isUnavailable } from '@tessera/database';

/** Whether a batch may have failed for one of its requests alone: a row that is locked, or what PostgreSQL cannot store. */
export function isOfOneRequest(error: unknown): boolean {
  return isLocked(error) || !isUnavailable(error);
}
