// The port to the store of failure counts: PostgreSQL for several nodes, or the memory of one process.

/** A key whose failures are counted (64 hexadecimal digits), and the number of failures that blocks it. */
export interface Limit {
  readonly key: string;
  readonly threshold: number;
}

/** The two keys of an attempt. All attempts that share the second key share the first. */
export type Limits = readonly [address: Limit, addressAndName: Limit];

/** The windows of both keys, by a name that the store gives each. */
export type Windows = readonly [address: string, addressAndName: string];

export type Reservation =
  | {
      readonly isReserved: true;
      readonly windows: Windows;
    }
  | {
      /** The attempt may not start. Nothing was counted. */
      readonly isReserved: false;
      /** Milliseconds until the last block of the keys ends; 0 where failures block none of them. */
      readonly blockedFor: number;
    };

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
   * Turns a reservation into a failure, or gives it back. A failure counts in the present window of each key. A reservation
   * whose window has ended gives nothing back to the next one.
   *
   * @param windows of the reservation
   * @returns the failures of each key
   */
  settle(
    limits: Limits,
    window: number,
    windows: Windows,
    isFailure: boolean,
  ): Promise<readonly [address: number, addressAndName: number]>;
}
