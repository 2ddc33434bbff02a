import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { type Applicant, Turns } from './turns.js';

const LIMITS = { ofNetwork: 3, ofGroup: 8 };

interface Item {
  readonly applicant: Applicant;
  readonly number: number;
}

const applicants = fc.record({ network: fc.constantFrom(...'abcdef'), isKnown: fc.boolean() });
/** Adds an item of an applicant, or takes the next. */
const steps = fc.array(fc.option(applicants), { maxLength: 200 });

/** Runs the steps. `taken` and `refused` are called with the items that wait, the oldest first. */
function run(
  turns: Turns<Item>,
  each: readonly (Applicant | null)[],
  observer: {
    taken?(item: Item | undefined, before: readonly Item[]): void;
    added?(item: Item, refused: Item | undefined, before: readonly Item[]): void;
  },
): void {
  let waiting: Item[] = [];
  for (const [number, applicant] of each.entries()) {
    const before = waiting;
    if (applicant === null) {
      const item = turns.take();
      waiting = before.filter((other) => other !== item);
      observer.taken?.(item, before);
    } else {
      const item = { applicant, number };
      const refused = turns.add(applicant, item);
      waiting = [...before, item].filter((other) => other !== refused);
      observer.added?.(item, refused, before);
    }
  }
}

function isOfSameLine({ applicant: one }: Item, { applicant: other }: Item): boolean {
  return one.network === other.network && one.isKnown === other.isKnown;
}

function lineOf(item: Item, items: readonly Item[]): readonly Item[] {
  return items.filter((other) => isOfSameLine(item, other));
}

function groupOf(item: Item, items: readonly Item[]): readonly Item[] {
  return items.filter(({ applicant }) => applicant.isKnown === item.applicant.isKnown);
}

describe('turns', () => {
  test('take the oldest item of a network first, and none twice or never', () => {
    fc.assert(
      fc.property(steps, (each) => {
        run(new Turns(LIMITS), each, {
          taken(item, before) {
            expect(item).toBe(item && lineOf(item, before)[0]);
            expect(item === undefined).toBe(before.length === 0);
          },
        });
      }),
    );
  });

  test('give every network one turn before another of its group has a second, and groups turns alternately', () => {
    fc.assert(
      fc.property(steps, (each) => {
        /** For the oldest item of each line: the turns that others had since it became the oldest. */
        const passed = new Map<Item, Item[]>();
        let last: Item | undefined;
        run(new Turns(LIMITS), each, {
          taken(item, before) {
            if (item === undefined) return;
            const other = before.some(
              ({ applicant }) => applicant.isKnown !== item.applicant.isKnown,
            );
            if (last !== undefined && other) {
              expect(item.applicant.isKnown).not.toBe(last.applicant.isKnown);
            }
            last = before.length > 1 && other ? item : undefined;
            for (const waiting of groupOf(item, before)) {
              if (isOfSameLine(waiting, item)) {
                passed.delete(waiting);
                continue;
              }
              const turns = passed.get(waiting) ?? [];
              if (waiting === lineOf(waiting, before)[0]) {
                expect(turns.some((earlier) => isOfSameLine(earlier, item))).toBe(false);
                passed.set(waiting, [...turns, item]);
              }
            }
          },
        });
      }),
    );
  });

  test('keep the limits; where a group is full, the longest line gives way to a shorter one', () => {
    fc.assert(
      fc.property(steps, (each) => {
        run(new Turns(LIMITS), each, {
          added(item, refused, before) {
            const own = lineOf(item, before).length;
            const group = groupOf(item, before);
            const longest = Math.max(0, ...group.map((other) => lineOf(other, before).length));
            const isFull = group.length >= LIMITS.ofGroup;
            const hasRoom = own < LIMITS.ofNetwork && (!isFull || longest > own + 1);
            expect(refused === item).toBe(!hasRoom);
            if (!hasRoom || !isFull) return;
            expect(refused && lineOf(refused, before)).toHaveLength(longest);
            expect(refused).toBe(refused && lineOf(refused, before).at(-1));
          },
        });
      }),
    );
  });

  test('do not come for an item that was removed', () => {
    const turns = new Turns<string>({ ofNetwork: 2, ofGroup: 2 });
    const applicant = { network: 'a', isKnown: false };
    for (const item of ['first', 'second']) turns.add(applicant, item);
    turns.remove(applicant, 'first');
    turns.remove(applicant, 'first');
    expect(turns.add(applicant, 'third')).toBeUndefined();
    expect([turns.take(), turns.take(), turns.take()]).toEqual(['second', 'third', undefined]);
  });
});
