import { describe, expect, test } from '@jest/globals';
import { until } from '../../../test/support/until.js';
import { AuthenticationThrottle, type ThrottlePolicy } from './authentication-throttle.js';
import { MemoryFailureStore } from './memory-failure-store.js';
import { ThrottledError } from './throttled-error.js';

const POLICY: ThrottlePolicy = { threshold: 3, addressThreshold: 5, window: 60_000 };
const ALICE = { address: '192.0.2.7', name: 'alice' };
const BOB = { ...ALICE, name: 'bob' };

class CountedFailures extends MemoryFailureStore {
  calls = 0;

  override find(...keys: Parameters<MemoryFailureStore['find']>) {
    this.calls += 1;
    return super.find(...keys);
  }

  override add(...counted: Parameters<MemoryFailureStore['add']>) {
    this.calls += 1;
    return super.add(...counted);
  }
}

class ThrottledLogin {
  policy: ThrottlePolicy | undefined = POLICY;
  readonly failures = new CountedFailures();
  private readonly throttle = new AuthenticationThrottle(this.failures, 'rest', () => this.policy);

  /** Whether the attempt was accepted; rejects where it is throttled. */
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
  test('unblocks a user who has failed less often than the new threshold', async () => {
    const login = new ThrottledLogin();
    await login.fail(3);
    await expect(login.attempt(good)).rejects.toBeInstanceOf(ThrottledError);
    login.policy = { ...POLICY, threshold: 4 };
    await login.fail(1);
    await expect(login.attempt(good)).rejects.toBeInstanceOf(ThrottledError);
  });

  test('blocks a user whose failures reach the new threshold', async () => {
    const login = new ThrottledLogin();
    await login.fail(2);
    login.policy = { ...POLICY, threshold: 2 };
    await expect(login.attempt(good)).rejects.toBeInstanceOf(ThrottledError);
    expect(await login.attempt(good, BOB)).toBe(true);
  });

  test('to none admits every attempt, and counts nothing', async () => {
    const login = new ThrottledLogin();
    await login.fail(3);
    login.policy = undefined;
    const { calls } = login.failures;
    await login.fail(9);
    expect(await login.attempt(good)).toBe(true);
    expect(login.failures.calls).toBe(calls);
  });

  test('from none counts from then on', async () => {
    const login = new ThrottledLogin();
    login.policy = undefined;
    await login.fail(9);
    login.policy = POLICY;
    await login.fail(3);
    await expect(login.attempt(good)).rejects.toBeInstanceOf(ThrottledError);
  });

  test.each([
    ['lower', 1, 3],
    ['higher', 4, 4],
  ])('to a %s threshold counts attempts in flight', async (_how, threshold, failures) => {
    const login = new ThrottledLogin();
    const end = Promise.withResolvers<boolean>();
    let started = 0;
    const slow = (): Promise<boolean> => {
      started += 1;
      return end.promise;
    };
    const attempts = Array.from({ length: 3 }, () => login.attempt(slow));
    await until('they are in flight', () => started === 3);
    login.policy = { ...POLICY, threshold };
    attempts.push(...Array.from({ length: 9 }, () => login.attempt(slow)));
    await until('as many are as may be', () => started === failures);
    end.resolve(false);
    const outcomes = await Promise.allSettled(attempts);
    expect(started).toBe(failures);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(failures);
  });
});
