// What is remembered of environments, and what is forgotten first.
import { expect, test } from '@jest/globals';
import type { BackendEnvironment, PropertySource } from '../backends/environment-backend.js';
import { LastKnownGood } from './last-known-good.js';

const CAPACITY = 20_000;

function sourceOf(name: string, size = 1000): PropertySource {
  return { name, properties: new Map([[name, { value: 'x'.repeat(size) }]]) };
}

function environmentOf(revision: string, ...sources: PropertySource[]): BackendEnvironment {
  return { revision, version: null, state: null, sources };
}

const shared = sourceOf('application', 10_000);

test('what many have in common weighs once', () => {
  const memory = new LastKnownGood(CAPACITY);
  const names = ['a', 'b', 'c', 'd'];
  for (const name of names) memory.set(name, environmentOf(name, sourceOf(name), shared));
  expect(names.map((name) => memory.get(name)?.revision)).toEqual(names);
});

test('copies are forgotten first, then what was longest not heard of', () => {
  const memory = new LastKnownGood(CAPACITY);
  memory.set('a', environmentOf('a', sourceOf('a'), shared));
  memory.set('b', environmentOf('b', sourceOf('b'), shared));
  for (let index = 0; index < 100; index++) memory.set(`copy${index}`, environmentOf('b', shared));
  expect([memory.get('a'), memory.get('b'), memory.get('copy99')]).not.toContain(undefined);
  expect(memory.get('copy0')).toBeUndefined();
  memory.set('a', environmentOf('a2', sourceOf('a'), shared));
  for (const name of ['c', 'd', 'e']) {
    memory.set(name, environmentOf(name, sourceOf(name), shared));
  }
  expect([memory.get('b'), memory.get('copy99')]).toEqual([undefined, undefined]);
  expect(memory.get('a')?.revision).toBe('a2');
});

test('what is changed or forgotten weighs nothing any more', () => {
  const memory = new LastKnownGood(CAPACITY);
  for (let index = 0; index < 100; index++) {
    memory.set('a', environmentOf(String(index), sourceOf('a', 5000)));
    memory.set('b', environmentOf(String(index), shared));
  }
  expect([memory.get('a')?.revision, memory.get('b')?.revision]).toEqual(['99', '99']);
});

test('one that is larger than all there is room for pushes out no other', () => {
  const memory = new LastKnownGood(CAPACITY);
  memory.set('a', environmentOf('a', shared));
  memory.set('b', environmentOf('b', sourceOf('b', CAPACITY)));
  expect([memory.get('a')?.revision, memory.get('b')]).toEqual(['a', undefined]);
});
