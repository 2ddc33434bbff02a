import { describe, expect, test } from '@jest/globals';
import { until } from '../../../test/support/until.js';
import { AuthenticationThrottle, type ThrottlePolicy } from './authentication-throttle.js';
import { MemoryFailures } from './memory-failures.js';
import { ThrottledError } from './throttled-error.js';

const POLICY: ThrottlePolicy = { threshold: 3, addressThreshold: 5, window: 60_000 };
const ALICE = { address: '192.0.2.7', name: 'alice' };
const BOB = { ...ALICE, name: 'bob' };

class CountedFailures extends MemoryFailures {
  calls = 0;

  override find(...keys: Parameters<MemoryFailures['find']>) {
    this.calls += 1;
    return super.find(...keys);
  }

  override add(...counted: Parameters<MemoryFailures['add']>) {
    this.calls += 1;
    return super.add(...counted);
  }
}

class Entrance {
  policy: ThrottlePolicy | undefined = POLICY;
  readonly failures = new CountedFailures();
  private readonly throttle = new AuthenticationThrottle(this.failures, 'rest', () => this.policy);

  /** Whether the attempt was accepted; rejects where it was not let in. */
  attempt(check: () => boolean | Promise<boolean>, subject = ALICE): Promise<boolean> {
    const isFailure = (isAccepted: boolean): boolean => !isAccepted;
    return this.throttle.guard(subject, async () => check(), isFailure);
  }

  async fail(times: number): Promise<void> {
    for (let turn = 0; turn < times; turn += 1) expect(await this.attempt(() => false)).toBe(false);
  }
}

const good = () => true;

describe('a policy that changes', () => {
  test('blocks nobody any more who has failed less often than the new threshold', async () => {
    const entrance = new Entrance();
    await entrance.fail(3);
    await expect(entrance.attempt(good)).rejects.toBeInstanceOf(ThrottledError);
    entrance.policy = { ...POLICY, threshold: 4 };
    await entrance.fail(1);
    await expect(entrance.attempt(good)).rejects.toBeInstanceOf(ThrottledError);
  });

  test('blocks who has failed as often as the new threshold says', async () => {
    const entrance = new Entrance();
    await entrance.fail(2);
    entrance.policy = { ...POLICY, threshold: 2 };
    await expect(entrance.attempt(good)).rejects.toBeInstanceOf(ThrottledError);
    expect(await entrance.attempt(good, BOB)).toBe(true);
  });

  test('to none lets everybody in, and counts nothing', async () => {
    const entrance = new Entrance();
    await entrance.fail(3);
    entrance.policy = undefined;
    const { calls } = entrance.failures;
    await entrance.fail(9);
    expect(await entrance.attempt(good)).toBe(true);
    expect(entrance.failures.calls).toBe(calls);
  });

  test('from none counts from then on', async () => {
    const entrance = new Entrance();
    entrance.policy = undefined;
    await entrance.fail(9);
    entrance.policy = POLICY;
    await entrance.fail(3);
    await expect(entrance.attempt(good)).rejects.toBeInstanceOf(ThrottledError);
  });

  test.each([
    ['lower', 1, 3],
    ['higher', 4, 4],
  ])('to a %s threshold counts attempts that are under way', async (_how, threshold, failures) => {
    const entrance = new Entrance();
    const end = Promise.withResolvers<boolean>();
    let begun = 0;
    const slow = (): Promise<boolean> => {
      begun += 1;
      return end.promise;
    };
    const attempts = Array.from({ length: 3 }, () => entrance.attempt(slow));
    await until('they are under way', () => begun === 3);
    entrance.policy = { ...POLICY, threshold };
    attempts.push(...Array.from({ length: 9 }, () => entrance.attempt(slow)));
    await until('as many are as may be', () => begun === failures);
    end.resolve(false);
    const outcomes = await Promise.allSettled(attempts);
    expect(begun).toBe(failures);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(failures);
  });
});
