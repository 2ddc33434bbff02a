// Owns the causes of reloads that nobody of this process asked for, as the log names them.

export const CHANGED_FILE = 'changed file';
export const REFUSED_FILE = 'changed file, tried again';
export const POLLING = 'polling';
export const NEW_WORKER = 'a new worker';
/** It has reloaded, and read the same sources or others. */
export const ANOTHER_NODE = 'another node';
export const LOGIN_REFUSED = 'the database refuses the login';

/** They come again by themselves: what is as it was is not told once more. */
export const REPEATED: ReadonlySet<string> = new Set([
  REFUSED_FILE,
  POLLING,
  NEW_WORKER,
  ANOTHER_NODE,
  LOGIN_REFUSED,
]);
