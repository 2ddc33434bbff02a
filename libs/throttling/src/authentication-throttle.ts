// Refuses logins after too many failures, before their credentials are checked.
import { setTimeout as delay } from 'node:timers/promises';
import { loggerFor } from '@tessera/logging';
import { failureKeysOf, type Subject } from './failure-keys.js';
import type { FailureStore, Limits, Windows } from './failure-store.js';
import { ThrottledError } from './throttled-error.js';

const log = loggerFor('throttling');

// A user name of any length may be sent.
const MAX_LOGGED_NAME = 255;

/** Attempts of one address that wait in this process; further ones are refused. */
export const MAX_WAITING = 128;
/** An attempt that has waited longer is refused. */
const MAX_WAIT_MS = 10_000;
const FIRST_PAUSE_MS = 10;
const MAX_PAUSE_MS = 100;

export interface ThrottlePolicy {
  /** Failures that block a user name at an address. */
  readonly threshold: number;
  /** Failures that block an address. */
  readonly addressThreshold: number;
  /** Milliseconds in which failures add up, and for which a block lasts. */
  readonly window: number;
}

/** The attempts of one address in this process that have no reservation yet. The first of them asks the store. */
interface Line {
  length: number;
  /** Rejects with an error of the store, for all attempts in the line. */
  last: Promise<unknown>;
}

/** Throttles one entry point, over all processes that share the store. */
export class AuthenticationThrottle {
  /** By the key of the address. */
  private readonly lines = new Map<string, Line>();

  /**
   * @param entryPoint where credentials are received; each entry point has its own counters
   * @param policy undefined disables throttling
   */
  constructor(
    private readonly store: FailureStore,
    private readonly entryPoint: string,
    private readonly policy: ThrottlePolicy | undefined,
  ) {}

  /**
   * Reserves a failure, runs `attempt`, and gives the reservation back unless the outcome is a failure. A success neither
   * counts nor resets, and an attempt that throws does not count.
   *
   * @throws ThrottledError without calling `attempt`, where the subject is blocked or too many attempts wait
   * @throws DatabaseError before `attempt`, where no failure can be reserved; after it, where the outcome cannot be counted
   */
  async guard<T>(
    subject: Subject,
    attempt: () => Promise<T>,
    isFailure: (outcome: T) => boolean,
  ): Promise<T> {
    const { policy } = this;
    if (policy === undefined) return attempt();
    const limits = this.limitsOf(subject, policy);
    const windows = await this.enter(limits, policy.window);
    let hasFailed = false;
    try {
      const outcome = await attempt();
      hasFailed = isFailure(outcome);
      return outcome;
    } finally {
      const failures = await this.store.settle(limits, policy.window, windows, hasFailed);
      if (hasFailed) this.logBlock(subject, limits, failures);
    }
  }

  private limitsOf(subject: Subject, { threshold, addressThreshold }: ThrottlePolicy): Limits {
    const keys = failureKeysOf(this.entryPoint, subject);
    return [
      { key: keys.address, threshold: addressThreshold },
      { key: keys.addressAndName, threshold },
    ];
  }

  /** Reserves a failure after the attempts of the same address that came before, so that at most one waits for its row. */
  private async enter(limits: Limits, window: number): Promise<Windows> {
    const [{ key }] = limits;
    const line = this.lines.get(key) ?? { length: 0, last: Promise.resolve() };
    if (line.length >= MAX_WAITING) throw new ThrottledError(1);
    this.lines.set(key, line);
    line.length += 1;
    const deadline = performance.now() + MAX_WAIT_MS;
    const turn = line.last.then(() => this.reserve(limits, window, deadline));
    line.last = turn;
    try {
      const reserved = await turn;
      if (reserved instanceof ThrottledError) throw reserved;
      return reserved;
    } finally {
      line.length -= 1;
      if (line.length === 0) this.lines.delete(key);
    }
  }

  /** Tries until attempts that are not decided yet leave a place below both thresholds. Returns the refusal. */
  private async reserve(
    limits: Limits,
    window: number,
    deadline: number,
  ): Promise<Windows | ThrottledError> {
    for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(2 * pause, MAX_PAUSE_MS)) {
      const reservation = await this.store.reserve(limits, window);
      if (reservation.isReserved) return reservation.windows;
      const { blockedFor } = reservation;
      if (blockedFor > 0) return new ThrottledError(Math.ceil(blockedFor / 1_000));
      if (performance.now() + pause > deadline) return new ThrottledError(1);
      await delay(pause);
    }
  }

  private logBlock(
    { address, name }: Subject,
    limits: Limits,
    failures: readonly [number, number],
  ): void {
    const fields = { entryPoint: this.entryPoint, clientAddress: address };
    if (failures[0] === limits[0].threshold) {
      log.warn(fields, 'too many failed logins: the address is blocked');
    } else if (failures[1] === limits[1].threshold) {
      const username = name.slice(0, MAX_LOGGED_NAME);
      const message = 'too many failed logins: the user name is blocked at this address';
      log.warn({ ...fields, username }, message);
    }
  }
}
