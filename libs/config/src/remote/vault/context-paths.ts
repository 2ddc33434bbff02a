// The Vault paths of the settings of an application.
const SHARED = 'application';

/**
 * The paths of settings below the mount, the strongest first: those of the application before the shared ones, each with its
 * profiles (the last one first) before the path without a profile.
 */
export function contextPaths(applicationName: string, profiles: readonly string[]): string[] {
  const contexts = [applicationName, SHARED].flatMap((context) => [
    ...profiles.toReversed().map((profile) => `${context}/${profile}`),
    context,
  ]);
  return [...new Set(contexts)];
}
