import { beforeEach, describe, expect, test } from '@jest/globals';
import { OutgoingError } from '../outgoing/errors.js';
import { CircuitBreakers } from './circuit-breakers.js';

const ERROR = new OutgoingError('NO_ANSWER', 'It did not answer');
const PERIOD = 15_000;

let breakers: CircuitBreakers;

const fail = (times: number, now = 0, name = 'a'): void => {
  for (let each = 0; each < times; each += 1) breakers.recordFailure(name, ERROR, now);
};

beforeEach(() => {
  breakers = new CircuitBreakers();
});

describe('a breaker', () => {
  test('opens after four failures in a row, with the last error', () => {
    fail(3);
    expect([breakers.refusal('a', 0), breakers.openAt(0)]).toEqual([undefined, []]);
    fail(1);
    expect([breakers.refusal('a', 0), breakers.openAt(0)]).toEqual([ERROR, ['a']]);
  });

  test('stays closed where an answer is between failures', () => {
    fail(3);
    breakers.recordAnswer('a');
    fail(3);
    expect(breakers.refusal('a', 0)).toBeUndefined();
  });

  test('lets one call through in each period, and stays open until it is answered', () => {
    fail(4);
    expect(breakers.refusal('a', PERIOD - 1)).toBe(ERROR);
    expect(breakers.openAt(PERIOD)).toEqual([]);
    expect(breakers.refusal('a', PERIOD)).toBeUndefined();
    expect(breakers.refusal('a', PERIOD)).toBe(ERROR);
    fail(1, PERIOD + 5_000);
    expect(breakers.refusal('a', 2 * PERIOD)).toBe(ERROR);
    expect(breakers.refusal('a', 2 * PERIOD + 5_000)).toBeUndefined();
    breakers.recordAnswer('a');
    expect(breakers.refusal('a', 2 * PERIOD + 5_000)).toBeUndefined();
  });

  test('of one application leaves the others alone', () => {
    fail(4);
    expect(breakers.refusal('b', 0)).toBeUndefined();
  });
});

test('the oldest breaker is forgotten where there are more than a thousand', () => {
  fail(4);
  for (let each = 0; each < 1_000; each += 1) fail(4, 0, `other ${each}`);
  expect(breakers.refusal('a', 0)).toBeUndefined();
  expect(breakers.openAt(0)).toHaveLength(1_000);
});
