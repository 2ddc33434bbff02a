import { expect, test } from '@jest/globals';
import { anything, assert, property } from 'fast-check';
import { readFromWorker, readToWorker, type FromWorker, type ToWorker } from './messages.js';

const READY = { changed: ['a'], restart: [], digest: 'd' };
const REFUSAL = { problems: ['p'] };

test.each<FromWorker>([
  { reload: 'starting' },
  { reload: 'joined', files: ['f'] },
  { reload: 'vote', round: 1, vote: READY },
  { reload: 'vote', round: 1, vote: REFUSAL },
  { reload: 'adopted', round: 1, files: [] },
  { reload: 'request', request: 1, cause: 'SIGHUP' },
])('is read from a worker: %j', (message) => {
  expect(readFromWorker(message)).toBe(message);
  expect(readToWorker(message)).toBeUndefined();
});

test.each<ToWorker>([
  { reload: 'settings', inForce: '{}' },
  { reload: 'stage', round: 1, key: 'k' },
  { reload: 'adopt', round: 1 },
  { reload: 'discard', round: 1 },
  { reload: 'outcome', request: 1, outcome: { changed: [], restart: [] } },
  { reload: 'outcome', request: 1, outcome: REFUSAL },
])('is read in a worker: %j', (message) => {
  expect(readToWorker(message)).toBe(message);
  expect(readFromWorker(message)).toBeUndefined();
});

test.each<[unknown]>([
  [undefined],
  [null],
  ['joined'],
  [{ listening: 'http://localhost:8080/cas', isDemo: true }],
  [{ reload: 'toString' }],
  [{ reload: '__proto__' }],
  [{ reload: 'joined' }],
  [{ reload: 'joined', files: [1] }],
  [{ reload: 'vote', round: '1', vote: READY }],
  [{ reload: 'vote', round: 1, vote: { ...READY, digest: 1 } }],
  [{ reload: 'vote', round: 1, vote: { problems: 'p' } }],
  [{ reload: 'request', request: 1 }],
  [{ reload: 'settings', inForce: {} }],
  [{ reload: 'stage', round: 1 }],
  [{ reload: 'outcome', request: 1, outcome: null }],
])('is passed over: %j', (message) => {
  expect([readFromWorker(message), readToWorker(message)]).toEqual([undefined, undefined]);
});

test('anything at all is read or passed over', () => {
  assert(
    property(anything(), anything(), (message, reload) => {
      for (const each of [message, { ...Object(message), reload }]) {
        expect([undefined, each]).toContain(readFromWorker(each));
        expect([undefined, each]).toContain(readToWorker(each));
      }
    }),
  );
});
