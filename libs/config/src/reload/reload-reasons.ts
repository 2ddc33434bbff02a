// The reasons for reloads, as the log names them.

export const CHANGED_FILE = 'changed file';
export const REFUSED_FILE = 'changed file, tried again';
export const POLLING = 'polling';
export const ANOTHER_NODE = 'another node';
export const DATABASE_CREDENTIALS_REFUSED = 'the database refuses the credentials';

/** Automatic and recurring: the log has a line only when the outcome differs from the last one. */
export const RECURRING: ReadonlySet<string> = new Set([
  REFUSED_FILE,
  POLLING,
  ANOTHER_NODE,
  DATABASE_CREDENTIALS_REFUSED,
]);
