/** Whether an error passes by itself: it says so. */
export function isTemporary(error: unknown): boolean {
  return error instanceof Error && Reflect.get(error, 'isTemporary') === true;
}
