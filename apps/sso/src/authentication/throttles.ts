// Owns by which entrances credentials come in, and the throttle at each. Counting is the library's part.
import type { DataSource } from 'typeorm';
import { Cleaner, poolOf } from '@tessera/database';
import { loggerFor } from '@tessera/logging';
import { AuthenticationThrottle, FailureStore, type ThrottlePolicy } from '@tessera/throttling';

const ENTRANCES = ['rest'] as const;

/** A way to log in. */
export type Entrance = (typeof ENTRANCES)[number];

/** What holds at each entrance; undefined where failures are not counted. */
export type ThrottlePolicies = Readonly<Record<Entrance, ThrottlePolicy | undefined>>;

/** Counts are cleared away once a window, but not more often than the one, nor less often than the other; milliseconds. */
const SHORTEST_INTERVAL = 1_000;
const LONGEST_INTERVAL = 60_000;
/** Rows removed by one statement. */
const BATCH = 1_000;

export class Throttles {
  /** Nobody is throttled. */
  static readonly NONE = new Throttles(new Map());

  private constructor(
    private readonly throttles: ReadonlyMap<Entrance, AuthenticationThrottle>,
    private readonly cleaner?: Cleaner,
  ) {}

  /** Counts in the database, at the entrances that have a policy; without any, the database is never asked. */
  static open(dataSource: DataSource, policies: ThrottlePolicies): Throttles {
    const store = new FailureStore(poolOf(dataSource));
    const throttles = new Map<Entrance, AuthenticationThrottle>();
    let interval = LONGEST_INTERVAL;
    for (const entrance of ENTRANCES) {
      const policy = policies[entrance];
      if (policy === undefined) continue;
      throttles.set(entrance, new AuthenticationThrottle(store, entrance, policy));
      interval = Math.min(interval, Math.max(SHORTEST_INTERVAL, policy.window));
    }
    if (throttles.size === 0) return Throttles.NONE;
    const cleaner = new Cleaner({
      removeBatch: () => store.removeExpired(BATCH),
      interval,
      rows: 'counts of failed logins',
      log: loggerFor('throttling'),
    });
    cleaner.start();
    return new Throttles(throttles, cleaner);
  }

  /** Undefined where credentials are checked without counting failures. */
  at(entrance: Entrance): AuthenticationThrottle | undefined {
    return this.throttles.get(entrance);
  }

  /** Ends the clearing away of old counts. */
  async close(): Promise<void> {
    await this.cleaner?.stop();
  }
}
