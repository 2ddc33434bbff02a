// Refuses logins after too many failures, before their credentials are checked.
import { loggerFor } from '@tessera/logging';
import { AttemptLimiter } from './attempt-limiter.js';
import { BlockCache } from './block-cache.js';
import { failureKeysOf, type Subject } from './failure-keys.js';
import type { FailureCount, FailureStore, Limit } from './failure-store.js';
import { ThrottledError } from './throttled-error.js';

const log = loggerFor('throttling');

// A user name of any length may be sent.
const MAX_LOGGED_NAME = 255;

/** About 2 MB of memory. */
const MAX_CACHED_BLOCKS = 10_000;

export interface ThrottlePolicy {
  /** Failures that block a user name at an address. */
  readonly threshold: number;
  /** Failures that block an address. */
  readonly addressThreshold: number;
  /** Milliseconds in which failures add up, and for which a block lasts. */
  readonly window: number;
}

type SubjectLimits = readonly [address: Limit, addressAndName: Limit];

/**
 * Throttles one entry point, over all nodes that share the store. In each process, failures never exceed the threshold.
 * Several processes together exceed it at most by that factor, if attempts reach all of them at the same moment.
 */
export class AuthenticationThrottle {
  private readonly limiter = new AttemptLimiter();
  private readonly blocked = new BlockCache(MAX_CACHED_BLOCKS);

  /**
   * @param entryPoint where credentials are received; each entry point has its own counters
   * @param policy returns the current policy; undefined disables throttling
   */
  constructor(
    private readonly store: FailureStore,
    private readonly entryPoint: string,
    private readonly policy: () => ThrottlePolicy | undefined,
  ) {}

  /**
   * Runs `attempt` and counts its outcome if it is a failure. A success neither counts nor resets, and an attempt that
   * throws does not count.
   *
   * @throws ThrottledError without calling `attempt`, where the subject is blocked or too many attempts wait
   * @throws DatabaseError before `attempt`, where failures cannot be read; after it, where the failure cannot be counted
   */
  async guard<T>(
    subject: Subject,
    attempt: () => Promise<T>,
    isFailure: (outcome: T) => boolean,
  ): Promise<T> {
    const policy = this.policy();
    if (policy === undefined) return attempt();
    const limits = this.limitsOf(subject, policy);
    this.throwIfBlocked(limits);
    return this.limiter.run(
      limits,
      () => this.readFailures(limits),
      async () => {
        const outcome = await attempt();
        if (isFailure(outcome)) await this.countFailure(subject, limits, policy.window);
        return outcome;
      },
    );
  }

  private limitsOf(
    subject: Subject,
    { threshold, addressThreshold }: ThrottlePolicy,
  ): SubjectLimits {
    const keys = failureKeysOf(this.entryPoint, subject);
    return [
      { key: keys.address, threshold: addressThreshold },
      { key: keys.addressAndName, threshold },
    ];
  }

  private throwIfBlocked(limits: SubjectLimits): void {
    const now = performance.now();
    const remaining = limits.map((limit) => this.blocked.remaining(limit, now) ?? 0);
    const longest = Math.max(...remaining);
    if (longest > 0) throw new ThrottledError(Math.ceil(longest / 1_000));
  }

  private async readFailures(limits: SubjectLimits): Promise<readonly number[]> {
    // The subject may have been blocked while this attempt waited.
    this.throwIfBlocked(limits);
    const counts = await this.store.find(limits[0].key, limits[1].key);
    this.cacheBlocks(limits, counts);
    this.throwIfBlocked(limits);
    return counts.map(({ failures }) => failures);
  }

  private async countFailure(
    { address, name }: Subject,
    limits: SubjectLimits,
    window: number,
  ): Promise<void> {
    const counts = await this.store.add(...limits, window);
    this.cacheBlocks(limits, counts);
    const [blocksAddress, blocksName] = counts.map(
      ({ failures }, at) => failures === limits[at]?.threshold,
    );
    const fields = { entrance: this.entryPoint, clientAddress: address };
    if (blocksAddress) {
      log.warn(fields, 'too many failed logins: the address is blocked');
    } else if (blocksName) {
      const username = name.slice(0, MAX_LOGGED_NAME);
      const message = 'too many failed logins: the user name is blocked at this address';
      log.warn({ ...fields, username }, message);
    }
  }

  private cacheBlocks(limits: SubjectLimits, counts: readonly [FailureCount, FailureCount]): void {
    const now = performance.now();
    for (const [at, count] of counts.entries()) {
      const limit = limits[at];
      if (limit && count.failures >= limit.threshold) this.blocked.set(limit.key, count, now);
    }
  }
}
