// The port to the store of failure counts: PostgreSQL for several nodes, or the memory of one process.

export interface FailureCount {
  /** Failures in the current window; 0 without a window. */
  readonly failures: number;
  /** Milliseconds until the window ends. */
  readonly remaining: number;
}

/** A key whose failures are counted, and the number of failures that blocks it. */
export interface Limit {
  readonly key: string;
  readonly threshold: number;
}

/** Counts failures by key (64 hexadecimal digits). */
export interface FailureStore {
  find(first: string, second: string): Promise<readonly [FailureCount, FailureCount]>;

  /**
   * Adds a failure to both keys. The first failure of a key opens a window, and the one that reaches the threshold
   * restarts it, once. A count ends with its window.
   *
   * @param first the key that more callers share
   * @param window in milliseconds
   */
  add(first: Limit, second: Limit, window: number): Promise<readonly [FailureCount, FailureCount]>;
}
