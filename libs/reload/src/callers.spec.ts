import { expect, test } from '@jest/globals';
import { Callers, ENDING } from './callers.js';
import type { ReloadOutcome } from './reload-outcome.js';

const NOTHING: ReloadOutcome = { changed: [], restart: [] };

test('who waits when the process is to end is answered at once', async () => {
  const end = new AbortController();
  const callers = new Callers(() => new Promise<never>(() => {}));
  callers.answerAt(end.signal);
  const asked = ['a', 'b'].map(callers.reload);
  end.abort();
  expect(await Promise.all(asked)).toEqual([ENDING, ENDING]);
});

test.each([
  [
    'before',
    (callers: Callers, end: AbortController) => (end.abort(), callers.answerAt(end.signal)),
  ],
  [
    'later',
    (callers: Callers, end: AbortController) => (callers.answerAt(end.signal), end.abort()),
  ],
])('nothing is begun for who asks afterwards, told %s', async (_when, tell) => {
  const causes: string[] = [];
  const callers = new Callers((cause) => {
    causes.push(cause);
    return Promise.resolve(NOTHING);
  });
  expect(await callers.reload('a')).toBe(NOTHING);
  tell(callers, new AbortController());
  expect(await callers.reload('b')).toEqual(ENDING);
  expect(causes).toEqual(['a']);
});

test('a reload that fails fails its callers', async () => {
  const callers = new Callers(() => Promise.reject(new Error('no')));
  await expect(callers.reload('a')).rejects.toThrow('no');
});
