// Owns the port of the counts of failures: in PostgreSQL for nodes that share them, or in the memory of one process.

/** What is known of a key. */
export interface Tally {
  /** Within the present window; 0 where there is none. */
  readonly failures: number;
  /** Milliseconds until the window ends. */
  readonly remaining: number;
}

/** A key to be counted, and the number of failures that begins a whole window anew. */
export interface Counted {
  readonly key: string;
  readonly threshold: number;
}

/** Counts of failures by key (64 hexadecimal digits). */
export interface Failures {
  find(first: string, second: string): Promise<readonly [Tally, Tally]>;

  /**
   * One more failure for both keys. The first failure opens a window; the one that reaches the threshold makes it begin
   * anew, once; what was counted in a window that has ended counts no more.
   *
   * @param first the key that more callers share
   * @param window in milliseconds
   */
  add(first: Counted, second: Counted, window: number): Promise<readonly [Tally, Tally]>;
}
