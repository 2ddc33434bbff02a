import { isUnavailable } from '@tessera/database';

/** Whether an error passes by itself: the database is unavailable, or the error says so. */
export function isTemporary(error: unknown): boolean {
  return (
    isUnavailable(error) || (error instanceof Error && Reflect.get(error, 'isTemporary') === true)
  );
}
