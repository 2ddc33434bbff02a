// Opens the backend `git` from its settings. Loaded only if it is configured.
import type { GitOptions, GitSettings } from '../../settings/git-settings.js';
import type { EnvironmentBackend } from '../environment-backend.js';
import { openAll } from '../open-all.js';
import { GitBackend } from './git-backend.js';
import { MultiRepositoryBackend } from './multi-repository-backend.js';
import { completedPatterns } from './repository-patterns.js';

/**
 * Creates the clone of each repository and starts its first fetch, without waiting for it.
 *
 * @param settings without violations
 * @param servesLastKnown whether the clones are served while their repositories cannot be fetched
 * @param continues whether this process has used the clones before
 * @throws GitError GIT_UNUSABLE
 */
export async function openGitBackend(
  settings: GitSettings,
  servesLastKnown: boolean,
  continues: boolean,
): Promise<EnvironmentBackend> {
  const open = (options: GitOptions): Promise<GitBackend> => GitBackend.open(options, continues);
  const main = open(settings.options(servesLastKnown));
  const others = settings.otherRepositories(servesLastKnown).map(({ patterns, options }) => {
    return { patterns: completedPatterns(patterns), opening: open(options) };
  });
  await openAll([main, ...others.map(({ opening }) => opening)]);
  if (others.length === 0) return main;
  const repositories = others.map(async ({ patterns, opening }) => {
    return { patterns, repository: await opening };
  });
  return new MultiRepositoryBackend(await main, await Promise.all(repositories));
}
