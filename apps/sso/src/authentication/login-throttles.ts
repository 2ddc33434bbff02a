// Owns by which entrances credentials come in, and the throttle at each. Counting is the library's part.
import type { DataSource } from 'typeorm';
import { Cleaner, poolOf } from '@tessera/database';
import { loggerFor } from '@tessera/logging';
import {
  AuthenticationThrottle,
  FailureStore,
  type Failures,
  type ThrottlePolicy,
} from '@tessera/throttling';

/** A way to log in. */
export type Entrance = 'rest';

/** What holds at each entrance; undefined where failures are not counted. */
export type ThrottlePolicies = Readonly<Record<Entrance, ThrottlePolicy | undefined>>;

/** Counts are cleared away once a window, but not more often than the one, nor less often than the other; milliseconds. */
const SHORTEST_INTERVAL = 1_000;
const LONGEST_INTERVAL = 60_000;
/** Rows removed by one statement. */
const BATCH = 1_000;

export class LoginThrottles {
  private readonly throttles: Readonly<Record<Entrance, AuthenticationThrottle>>;

  /** @param policies those in force, asked for each credential */
  constructor(
    failures: Failures,
    policies: () => ThrottlePolicies,
    private readonly cleaner?: Cleaner,
  ) {
    this.throttles = {
      rest: new AuthenticationThrottle(failures, 'rest', () => policies().rest),
    };
  }

  /** Counts in the database, which is never asked while no entrance has a policy. */
  static open(dataSource: DataSource, policies: () => ThrottlePolicies): LoginThrottles {
    const store = new FailureStore(poolOf(dataSource));
    const windows = (): number[] => Object.values(policies()).flatMap((each) => each?.window ?? []);
    const cleaner = new Cleaner({
      removeBatch: () => (windows().length > 0 ? store.removeExpired(BATCH) : Promise.resolve(0)),
      interval: Math.max(SHORTEST_INTERVAL, Math.min(LONGEST_INTERVAL, ...windows())),
      rows: 'counts of failed logins',
      log: loggerFor('throttling'),
    });
    cleaner.start();
    return new LoginThrottles(store, policies, cleaner);
  }

  at(entrance: Entrance): AuthenticationThrottle {
    return this.throttles[entrance];
  }

  /** Ends the clearing away of old counts. */
  async close(): Promise<void> {
    await this.cleaner?.stop();
  }
}
