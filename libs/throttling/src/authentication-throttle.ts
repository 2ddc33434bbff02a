// Refuses logins of those who have failed too often, before anybody looks at their credentials. How credentials are
// checked it does not know.
import { loggerFor } from '@tessera/logging';
import { AttemptGate, type Limit } from './attempt-gate.js';
import { BlockedKeys } from './blocked-keys.js';
import { failureKeysOf, type Subject } from './failure-keys.js';
import type { Failures, Tally } from './failures.js';
import { ThrottledError } from './throttled-error.js';

const log = loggerFor('throttling');

// Whatever was sent as a user name must not fill the log.
const MAX_LOGGED_NAME = 255;

/** Some 2 MB of memory. */
const REMEMBERED_KEYS = 10_000;

export interface ThrottlePolicy {
  /** Failures of one user name from one address that block this pair. */
  readonly threshold: number;
  /** Failures from one address that block the address. */
  readonly addressThreshold: number;
  /** Milliseconds in which failures add up, and for which reaching a threshold blocks. */
  readonly window: number;
}

type SubjectLimits = readonly [address: Limit, addressAndName: Limit];

/**
 * Throttling at one entrance, over all nodes that share its failures. In each process, no more attempts fail than a threshold allows; so several
 * processes together let through at most as many times that, if attempts reach them all at the same moment.
 */
export class AuthenticationThrottle {
  private readonly gate = new AttemptGate();
  private readonly blocked = new BlockedKeys(REMEMBERED_KEYS);

  /**
   * @param entrance where credentials come in; its counters are its own
   * @param policy the one in force, asked for each attempt; undefined where failures are not counted
   */
  constructor(
    private readonly failures: Failures,
    private readonly entrance: string,
    private readonly policy: () => ThrottlePolicy | undefined,
  ) {}

  /**
   * The outcome of `attempt`, which is counted if it is a failure. One that throws has decided nothing and counts
   * nothing; success neither counts nor resets.
   *
   * @throws ThrottledError without calling `attempt`, where the subject is blocked or too many attempts wait
   * @throws DatabaseError of the driver: where failures cannot be read, nothing is attempted; where one cannot be
   *   counted, its outcome is not told
   */
  async guard<T>(
    subject: Subject,
    attempt: () => Promise<T>,
    isFailure: (outcome: T) => boolean,
  ): Promise<T> {
    const policy = this.policy();
    if (policy === undefined) return attempt();
    const limits = this.limitsOf(subject, policy);
    this.refuseBlocked(limits);
    return this.gate.run(
      limits,
      () => this.failuresOf(limits),
      async () => {
        const outcome = await attempt();
        if (isFailure(outcome)) await this.count(subject, limits, policy.window);
        return outcome;
      },
    );
  }

  private limitsOf(
    subject: Subject,
    { threshold, addressThreshold }: ThrottlePolicy,
  ): SubjectLimits {
    const keys = failureKeysOf(this.entrance, subject);
    return [
      { key: keys.address, threshold: addressThreshold },
      { key: keys.addressAndName, threshold },
    ];
  }

  private refuseBlocked(limits: SubjectLimits): void {
    const now = performance.now();
    const remaining = limits.map((limit) => this.blocked.remaining(limit, now) ?? 0);
    const longest = Math.max(...remaining);
    if (longest > 0) throw new ThrottledError(Math.ceil(longest / 1_000));
  }

  private async failuresOf(limits: SubjectLimits): Promise<readonly number[]> {
    // Who waited at the gate may have been blocked meanwhile.
    this.refuseBlocked(limits);
    const tallies = await this.failures.find(limits[0].key, limits[1].key);
    this.remember(limits, tallies);
    this.refuseBlocked(limits);
    return tallies.map(({ failures }) => failures);
  }

  private async count(
    { address, name }: Subject,
    limits: SubjectLimits,
    window: number,
  ): Promise<void> {
    const tallies = await this.failures.add(...limits, window);
    this.remember(limits, tallies);
    const [blocksAddress, blocksName] = tallies.map(
      ({ failures }, at) => failures === limits[at]?.threshold,
    );
    const { entrance } = this;
    if (blocksAddress) {
      const fields = { entrance, clientAddress: address };
      log.warn(fields, 'too many failed logins: the address is blocked');
    } else if (blocksName) {
      const username = name.slice(0, MAX_LOGGED_NAME);
      const fields = { entrance, clientAddress: address, username };
      log.warn(fields, 'too many failed logins: the user name is blocked at this address');
    }
  }

  private remember(limits: SubjectLimits, tallies: readonly [Tally, Tally]): void {
    const now = performance.now();
    for (const [at, tally] of tallies.entries()) {
      const limit = limits[at];
      if (limit && tally.failures >= limit.threshold) this.blocked.remember(limit.key, tally, now);
    }
  }
}
