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

test('sources that environments share count once', () => {
  const store = new LastKnownGood(CAPACITY);
  const names = ['a', 'b', 'c', 'd'];
  for (const name of names) store.set(name, environmentOf(name, sourceOf(name), shared));
  expect(names.map((name) => store.get(name)?.revision)).toEqual(names);
});

test('copies are evicted first, then the least recently set original', () => {
  const store = new LastKnownGood(CAPACITY);
  store.set('a', environmentOf('a', sourceOf('a'), shared));
  store.set('b', environmentOf('b', sourceOf('b'), shared));
  for (let index = 0; index < 100; index++) store.set(`copy${index}`, environmentOf('b', shared));
  expect([store.get('a'), store.get('b'), store.get('copy99')]).not.toContain(undefined);
  expect(store.get('copy0')).toBeUndefined();
  store.set('a', environmentOf('a2', sourceOf('a'), shared));
  for (const name of ['c', 'd', 'e']) {
    store.set(name, environmentOf(name, sourceOf(name), shared));
  }
  expect([store.get('b'), store.get('copy99')]).toEqual([undefined, undefined]);
  expect(store.get('a')?.revision).toBe('a2');
});

test('replaced and evicted environments no longer count', () => {
  const store = new LastKnownGood(CAPACITY);
  for (let index = 0; index < 100; index++) {
    store.set('a', environmentOf(String(index), sourceOf('a', 5000)));
    store.set('b', environmentOf(String(index), shared));
  }
  expect([store.get('a')?.revision, store.get('b')?.revision]).toEqual(['99', '99']);
});

test('one that is larger than the capacity evicts no other', () => {
  const store = new LastKnownGood(CAPACITY);
  store.set('a', environmentOf('a', shared));
  store.set('b', environmentOf('b', sourceOf('b', CAPACITY)));
  expect([store.get('a')?.revision, store.get('b')]).toEqual(['a', undefined]);
});
