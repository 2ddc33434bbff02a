import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { makeFolder, removeFolder } from '../../../../../test/support/folders.js';
import { GitRemote } from '../../../../../test/support/git-remote.js';
import { GitSettings } from '../../settings/git-settings.js';
import { GitProgram } from './git-program.js';
import { GitRepository } from './git-repository.js';

// Many processes one after the other, on machines that have more to do.

const COMMITS = 8;

let remote: GitRemote;
let clones: string;
let repository: GitRepository;
let ids: readonly string[];
/** What git was told to do since the repository was opened, and the most of it at once. */
let commands: string[];
let most: number;

/** Watches the real program; what it says is its own. */
function watchGit(): void {
  const run = Object.getOwnPropertyDescriptor(GitProgram.prototype, 'run')
    ?.value as GitProgram['run'];
  let running = 0;
  jest.spyOn(GitProgram.prototype, 'run').mockImplementation(async function (
    this: GitProgram,
    ...args
  ) {
    commands.push(String(args[0][0]));
    running += 1;
    most = Math.max(most, running);
    try {
      return await run.apply(this, args);
    } finally {
      running -= 1;
    }
  });
}

beforeEach(async () => {
  [remote, clones] = await Promise.all([GitRemote.create(), makeFolder()]);
  const pushed: string[] = [];
  for (let value = 0; value < COMMITS; value += 1) {
    pushed.push(await remote.push({ a: String(value) }));
  }
  ids = pushed;
  const given = { uri: remote.path, cloneDirectory: clones, refresh: 0 };
  repository = await GitRepository.open(Object.assign(new GitSettings(), given).options());
  await repository.commitOf();
  [commands, most] = [[], 0];
  watchGit();
});

afterEach(async () => {
  jest.restoreAllMocks();
  await repository.close();
  await Promise.all([remote.remove(), removeFolder(clones)]);
});

/** Each commit by several beginnings of its id, all at once. */
const askForAll = (): Promise<readonly string[]> =>
  Promise.all(
    ids.flatMap((id) =>
      [12, 13, 14, id.length].map(async (digits) => {
        const commit = await repository.commitOf(id.slice(0, digits));
        const file = await (await repository.commits.tree(commit)).find('a');
        return `${commit.id} ${String(await file?.read())}`;
      }),
    ),
  );

describe('however many ask at once', () => {
  test('four commands run, and a commit is looked for once until the next fetch', async () => {
    const expected = ids.flatMap((id, value) => Array(4).fill(`${id} ${value}`));
    expect(await askForAll()).toEqual(expected);
    expect(most).toBe(4);
    const times = (command: string): number => commands.filter((each) => each === command).length;
    expect([times('for-each-ref'), times('ls-tree')]).toEqual([COMMITS, COMMITS]);

    expect(await askForAll()).toEqual(expected);
    expect(commands).toHaveLength(2 * COMMITS);

    await remote.git('branch', 'another');
    await repository.refresh();
    commands = [];
    await askForAll();
    expect(commands).toEqual(Array(COMMITS).fill('for-each-ref'));
  });

  test('some are told to come again, and those who wait are served', async () => {
    const date = new Date(0);
    // Every beginning of an id is a name of its own, and no answer to another is one to it.
    const names = ids.flatMap((id) => [...id].map((_, index) => id.slice(0, index + 1)).slice(7));
    const asked = names.map((id) => repository.commits.tree({ id, date }));
    const settled = await Promise.allSettled(asked);
    const refusals = settled.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []));
    expect(refusals).toHaveLength(names.length - 132);
    for (const refusal of refusals) {
      expect(refusal).toMatchObject({ code: 'BACKEND_UNAVAILABLE', isTemporary: true });
    }
    expect([most, commands.length]).toEqual([4, 132]);
    expect(await askForAll()).toHaveLength(4 * COMMITS);
  });
});
