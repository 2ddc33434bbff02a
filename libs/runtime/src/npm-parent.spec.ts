import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { onNpmExit } from './npm-parent.js';

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

/** How often the listener was called, where the parent becomes another after a second. */
function calls(script: string | undefined, parents: readonly [number, number]): number {
  const listener = jest.fn();
  let [parent] = parents;
  onNpmExit(listener, script, () => parent);
  jest.advanceTimersByTime(1_000);
  expect(listener).not.toHaveBeenCalled();
  [, parent] = parents;
  jest.advanceTimersByTime(10_000);
  return listener.mock.calls.length;
}

test.each<[string, string | undefined, readonly [number, number], number]>([
  ['tells once that the npm of `npm start` has ended', 'start', [700, 1], 1],
  ['tells it where another process than init takes its children', 'start:sso', [700, 42], 1],
  ['does nothing while npm lives', 'start', [700, 700], 0],
  ['does nothing where npm is the first process of a container', 'start', [1, 1], 0],
  ['leaves alone what npm did not start', undefined, [700, 1], 0],
  ['leaves alone what another script of npm has detached', 'deploy', [700, 1], 0],
  ['leaves alone what a script of a similar name has detached', 'started', [700, 1], 0],
])('%s', (_rule, script, parents, expected) => {
  expect(calls(script, parents)).toBe(expected);
});
