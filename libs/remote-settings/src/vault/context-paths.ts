// Owns where Vault keeps the settings of an application, and which of two places counts.

/** The context that all applications share. */
const SHARED = 'application';

/**
 * The paths below the mount, the strongest first: the application's before the shared ones, and in each, profiles (the later
 * first) before what holds in all.
 */
export function contextPaths(applicationName: string, profiles: readonly string[]): string[] {
  const contexts = [applicationName, SHARED].flatMap((context) => [
    ...profiles.toReversed().map((profile) => `${context}/${profile}`),
    context,
  ]);
  return [...new Set(contexts)];
}
