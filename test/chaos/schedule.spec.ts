// A seed repeats the schedule, and each round has every fault.
import { expect, test } from '@jest/globals';
import { FAULTS } from './faults.js';
import { scheduleOf, type Planned } from './schedule.js';

const names = FAULTS.map(({ name }) => name);
function first(seed: number, count: number) {
  const schedule = scheduleOf(seed, names);
  return Array.from({ length: count }, () => {
    const { name, calm, lasts, random } = schedule.next().value as Planned;
    return { name, calm, lasts, choice: random.next() };
  });
}

test('repeats the schedule of a seed, and no other', () => {
  expect(first(7, 50)).toEqual(first(7, 50));
  expect(first(7, 50)).not.toEqual(first(8, 50));
});

test('has every fault once in each round', () => {
  const order = first(7, 2 * names.length).map(({ name }) => name);
  const rounds = [order.slice(0, names.length), order.slice(names.length)];
  for (const round of rounds) expect(round.toSorted()).toEqual(names.toSorted());
  expect(rounds[0]).not.toEqual(rounds[1]);
});

test('gives each fault a name of its own', () => {
  expect(new Set(names).size).toBe(names.length);
});
