// The port to the store of failure counts: PostgreSQL for several nodes, or the memory of one process.

/** A key whose failures are counted (64 hexadecimal digits), and the number of failures that blocks it. */
export interface Limit {
  readonly key: string;
  readonly threshold: number;
}

/** The two keys of an attempt. All attempts that share the second key share the first. */
export type Limits = readonly [address: Limit, addressAndName: Limit];

export interface Reservation {
  /** Whether the attempt may start. Otherwise nothing was counted. */
  readonly isReserved: boolean;
  /** Milliseconds until the last block of the keys ends; 0 where failures block none of them. */
  readonly blockedFor: number;
}

/**
 * Counts failures by key, in fixed windows. The first failure of a key opens its window, and the one that reaches the
 * threshold restarts it, once. A count ends with its window.
 *
 * An attempt reserves a failure of both keys before it starts, and settles it afterwards. In a window, failures and
 * reservations of a key together never exceed its threshold, however many processes share the store. A reservation that
 * is never settled ends with its window.
 */
export interface FailureStore {
  /** @param window in milliseconds */
  reserve(limits: Limits, window: number): Promise<Reservation>;

  /**
   * Turns the reservation into a failure, or gives it back.
   *
   * @returns the failures of each key
   */
  settle(
    limits: Limits,
    window: number,
    isFailure: boolean,
  ): Promise<readonly [address: number, addressAndName: number]>;
}
