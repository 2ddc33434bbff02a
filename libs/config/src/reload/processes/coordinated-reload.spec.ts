import { describe, expect, test } from '@jest/globals';
import { array, assert, asyncProperty, constantFrom } from 'fast-check';
import { coordinatedReload, type Participant, type Vote } from './coordinated-reload.js';

/** A process that says what it is to say, and remembers what became of it. Outside the test, it would be a real one. */
class FakeProcess implements Participant {
  readonly done: string[] = [];
  readonly keys: string[] = [];

  /** @param contents what it reads, one time after the other; `!` and a problem where it cannot */
  constructor(private readonly contents: readonly string[]) {}

  stage(key: string): Promise<Vote> {
    const content = this.contents[Math.min(this.keys.length, this.contents.length - 1)] ?? '';
    this.keys.push(key);
    const { length } = content;
    const vote = content.startsWith('!')
      ? { problems: [content.slice(1, length)] }
      : { changed: [content], restart: [], digest: `${content} under ${key}` };
    return Promise.resolve(vote);
  }

  commit(): Promise<void> {
    this.done.push('commit');
    return Promise.resolve();
  }

  discard(): void {
    this.done.push('discard');
  }
}

const processes = (...contents: string[][]): FakeProcess[] =>
  contents.map((each) => new FakeProcess(each));
const doneBy = (all: FakeProcess[]): string[] => all.map(({ done }) => done.join(' '));

describe('none goes over to new settings', () => {
  test('where one cannot', async () => {
    const all = processes(['a'], ['a'], ['!no file'], ['a']);
    expect(await coordinatedReload(all)).toEqual({ problems: ['no file'] });
    expect(doneBy(all)).toEqual(['discard', 'discard', 'discard', 'discard']);
  });

  test('where several cannot, for each reason once', async () => {
    const all = processes(['!wrong'], ['!no file'], ['!wrong']);
    expect(await coordinatedReload(all)).toEqual({ problems: ['wrong', 'no file'] });
  });

  test('where they have read unequal ones again and again', async () => {
    const all = processes(['a'], ['b']);
    expect(await coordinatedReload(all)).toEqual({
      problems: [expect.stringContaining('unequal settings')],
    });
    expect(doneBy(all)).toEqual(['discard discard discard', 'discard discard discard']);
  });
});

test('all go over when they have come to read equal ones', async () => {
  const all = processes(['new'], ['old', 'new'], ['new']);
  expect(await coordinatedReload(all)).toEqual({ changed: ['new'], restart: [] });
  expect(doneBy(all)).toEqual(['discard commit', 'discard commit', 'discard commit']);
});

test('each attempt has a key of its own', async () => {
  const all = processes(['a'], ['b']);
  await coordinatedReload(all);
  const [keys] = all.map((each) => each.keys);
  expect(new Set(keys).size).toBe(3);
  expect(Buffer.from(keys?.[0] ?? '', 'base64')).toHaveLength(32);
});

test('whatever they read, all or none go over, and no stage is left open', async () => {
  const content = constantFrom('a', 'a', 'a', 'b', '!c');
  const contents = array(array(content, { minLength: 1, maxLength: 3 }), { minLength: 1 });
  await assert(
    asyncProperty(contents, async (given) => {
      const all = processes(...given);
      const outcome = await coordinatedReload(all);
      const commits = all.map(({ done }) => done.filter((each) => each === 'commit').length);
      expect(new Set(commits)).toEqual(new Set(['problems' in outcome ? 0 : 1]));
      for (const { done, keys } of all) expect(done).toHaveLength(keys.length);
    }),
  );
});
