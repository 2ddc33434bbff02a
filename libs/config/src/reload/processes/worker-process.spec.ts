import { beforeEach, expect, test } from '@jest/globals';
import type { ToWorker } from './messages.js';
import { WorkerProcess } from './workers.js';

const READY = { changed: [], restart: [], digest: 'd' };

let sent: ToWorker[];
let worker: WorkerProcess;

function make(patience?: number): void {
  sent = [];
  const channel = { name: 'worker 1', send: (message: ToWorker): unknown => sent.push(message) };
  worker = new WorkerProcess(channel, [], patience);
}

beforeEach(() => make());

test('its vote is reported', async () => {
  const vote = worker.stage('k');
  worker.onMessage({ reload: 'vote', round: 1, vote: READY });
  expect(await vote).toEqual(READY);
  const done = worker.commit();
  worker.onMessage({ reload: 'adopted', round: 1, files: ['f'] });
  await done;
  expect(worker.files).toEqual(['f']);
  expect(sent).toEqual([
    { reload: 'stage', round: 1, key: 'k' },
    { reload: 'adopt', round: 1 },
  ]);
});

test('one that ends has refused', async () => {
  const vote = worker.stage('k');
  worker.onExit();
  expect(await vote).toEqual({ problems: ['worker 1 ended meanwhile'] });
});

test('one that ends before it goes over is not waited for', async () => {
  const done = worker.commit();
  worker.onExit();
  await done;
});

test('one that does not answer has refused', async () => {
  make(20);
  expect(await worker.stage('k')).toEqual({
    problems: ['worker 1 did not answer within 0.02 s'],
  });
});

test('an answer that comes late counts for nothing', async () => {
  make(20);
  await worker.stage('k');
  worker.discard();
  const second = worker.stage('l');
  worker.onMessage({ reload: 'vote', round: 1, vote: READY });
  worker.onMessage({ reload: 'vote', round: 2, vote: { problems: ['p'] } });
  worker.onMessage({ reload: 'vote', round: 2, vote: READY });
  expect(await second).toEqual({ problems: ['p'] });
});

test('one that did not answer in time is silent until it says something', async () => {
  make(20);
  expect(worker.isUnresponsive).toBe(false);
  await worker.stage('k');
  expect(worker.isUnresponsive).toBe(true);
  worker.onMessage({ reload: 'vote', round: 1, vote: READY });
  expect(worker.isUnresponsive).toBe(false);
});
