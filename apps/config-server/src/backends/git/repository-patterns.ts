// Decides by patterns whether a repository is for a query, as Spring Cloud Config does.
import type { EnvironmentQuery } from '../environment-backend.js';
import { matchesPattern } from '../files/directory-patterns.js';

/**
 * Patterns of `{application}/{profiles}`, in which `*` stands for any characters. One without a slash is for all profiles,
 * and one without a `*` at its end is also for lists that begin with it.
 *
 * @see https://docs.spring.io/spring-cloud-config/reference/server/environment-repository/git-backend.html
 */
export function completedPatterns(patterns: readonly string[]): readonly string[] {
  return patterns.flatMap((pattern) => [
    pattern,
    ...(pattern.includes('/') ? [] : [`${pattern}/*`]),
    ...(pattern.endsWith('*') ? [] : [`${pattern},*`]),
  ]);
}

/**
 * Whether the patterns match the whole list of profiles, and also one profile of it.
 *
 * @param patterns as {@link completedPatterns} returns them
 */
export function matchesQuery(
  patterns: readonly string[],
  { applications, profiles }: Pick<EnvironmentQuery, 'applications' | 'profiles'>,
): boolean {
  const matches = (profile: string): boolean => {
    const name = `${applications.join(',')}/${profile}`;
    return patterns.some((pattern) => matchesPattern(name, pattern));
  };
  return matches(profiles.join(',')) && profiles.some(matches);
}
