// The login throttles, one for each entry point.
import type { DataSource } from 'typeorm';
import { Cleaner, poolOf } from '@tessera/database';
import { loggerFor } from '@tessera/logging';
import {
  AuthenticationThrottle,
  PostgresFailureStore,
  type FailureStore,
  type ThrottlePolicy,
} from '@tessera/throttling';

/** A route by which credentials are received. */
export type EntryPoint = 'login' | 'rest';

/** The policy of each entry point; undefined disables throttling. */
export type ThrottlePolicies = Readonly<Record<EntryPoint, ThrottlePolicy | undefined>>;

/** Expired counts are removed once a window, within these bounds. */
const MIN_INTERVAL_MS = 1_000;
const MAX_INTERVAL_MS = 60_000;
/** Rows removed by one statement. */
const BATCH_SIZE = 1_000;

export class LoginThrottles {
  private readonly throttles: Readonly<Record<EntryPoint, AuthenticationThrottle>>;
  /** Counts wrong tokens of operators: as logins over REST or, where those are not throttled, by address with the policy of the form. */
  readonly operatorTokens: AuthenticationThrottle;
  /** Counts OpenID Connect clients that do not prove who they are, with the policy of the form. */
  readonly clients: AuthenticationThrottle;

  constructor(
    failures: FailureStore,
    { login, rest }: ThrottlePolicies,
    private readonly cleaner?: Cleaner,
  ) {
    this.throttles = {
      login: new AuthenticationThrottle(failures, 'login', login),
      rest: new AuthenticationThrottle(failures, 'rest', rest),
    };
    this.clients = new AuthenticationThrottle(failures, 'client', login);
    const byAddress = login && { ...login, threshold: login.addressThreshold };
    this.operatorTokens = rest
      ? this.throttles.rest
      : new AuthenticationThrottle(failures, 'operator', byAddress);
  }

  /** Counts failures in the database; it is not used while every entry point is unthrottled. */
  static open(dataSource: DataSource, policies: ThrottlePolicies): LoginThrottles {
    const store = new PostgresFailureStore(poolOf(dataSource));
    const windows = Object.values(policies).flatMap((each) => each?.window ?? []);
    const cleaner = new Cleaner({
      removeBatch: () =>
        windows.length > 0 ? store.removeExpired(BATCH_SIZE) : Promise.resolve(0),
      interval: Math.max(MIN_INTERVAL_MS, Math.min(MAX_INTERVAL_MS, ...windows)),
      rows: 'counts of failed logins',
      log: loggerFor('throttling'),
    });
    cleaner.start();
    return new LoginThrottles(store, policies, cleaner);
  }

  forEntryPoint(entryPoint: EntryPoint): AuthenticationThrottle {
    return this.throttles[entryPoint];
  }

  /** Stops the removal of expired counts. */
  async close(): Promise<void> {
    await this.cleaner?.stop();
  }
}
