import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  jest,
  test,
} from '@jest/globals';
import { makeFolder, removeFolder } from '../../../../../test/support/folders.js';
import { GitRemote } from '../../../../../test/support/git-remote.js';
import { GitSettings } from '../../settings/git-settings.js';
import { GitProgram } from './git-program.js';
import { GitRepository } from './git-repository.js';

const COMMITS = 8;

let remote: GitRemote;
let clones: string;
let repository: GitRepository;
let ids: readonly string[];
/** The git commands since the repository was opened, and the highest number that ran at once. */
let commands: string[];
let maxRunning: number;

/** Records the commands of the real program. */
function recordCommands(): void {
  const run = Object.getOwnPropertyDescriptor(GitProgram.prototype, 'run')
    ?.value as GitProgram['run'];
  let running = 0;
  jest.spyOn(GitProgram.prototype, 'run').mockImplementation(async function (
    this: GitProgram,
    ...args
  ) {
    commands.push(String(args[0][0]));
    running += 1;
    maxRunning = Math.max(maxRunning, running);
    try {
      return await run.apply(this, args);
    } finally {
      running -= 1;
    }
  });
}

beforeAll(async () => {
  remote = await GitRemote.create();
  const pushed: string[] = [];
  for (let value = 0; value < COMMITS; value += 1) {
    pushed.push(await remote.push({ a: String(value) }));
  }
  ids = pushed;
});
beforeEach(async () => {
  clones = await makeFolder();
  const given = { uri: remote.path, cloneDirectory: clones, refresh: 0 };
  repository = await GitRepository.open(Object.assign(new GitSettings(), given).options());
  await repository.commitOf();
  [commands, maxRunning] = [[], 0];
  recordCommands();
});

afterEach(async () => {
  jest.restoreAllMocks();
  await repository.close();
  await removeFolder(clones);
});
afterAll(() => remote.remove());

/** Reads a file of each commit by several prefixes of its id, all at once. */
const readAll = (): Promise<readonly string[]> =>
  Promise.all(
    ids.flatMap((id) =>
      [12, 13, 14, id.length].map(async (digits) => {
        const commit = await repository.commitOf(id.slice(0, digits));
        const file = await (await repository.commits.tree(commit)).find('a');
        return `${commit.id} ${String(await file?.read())}`;
      }),
    ),
  );

describe('with many concurrent requests', () => {
  test('four commands run, and each commit is searched once until the next fetch', async () => {
    const expected = ids.flatMap((id, value) => Array(4).fill(`${id} ${value}`));
    expect(await readAll()).toEqual(expected);
    expect(maxRunning).toBe(4);
    const times = (command: string): number => commands.filter((each) => each === command).length;
    expect([times('for-each-ref'), times('ls-tree')]).toEqual([COMMITS, COMMITS]);

    expect(await readAll()).toEqual(expected);
    expect(commands).toHaveLength(2 * COMMITS);

    await remote.git('branch', 'another');
    await repository.refresh();
    commands = [];
    await readAll();
    expect(commands).toEqual(Array(COMMITS).fill('for-each-ref'));
  });

  test('some fail with a temporary error, and those in the queue are answered', async () => {
    const date = new Date(0);
    // Each prefix of an id is another name, with an entry of its own in the cache.
    const names = ids.flatMap((id) => [...id].map((_, index) => id.slice(0, index + 1)).slice(7));
    const requests = names.map((id) => repository.commits.tree({ id, date }));
    const settled = await Promise.allSettled(requests);
    const refusals = settled.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []));
    expect(refusals).toHaveLength(names.length - 132);
    for (const refusal of refusals) {
      expect(refusal).toMatchObject({ code: 'BACKEND_UNAVAILABLE', isTemporary: true });
    }
    expect([maxRunning, commands.length]).toEqual([4, 132]);
    expect(await readAll()).toHaveLength(4 * COMMITS);
  });
});
