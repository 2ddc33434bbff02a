// Owns what else than settings is taken from the environment: what child processes inherit, and variables that somebody
// names. Settings in it are read by libs/settings.

/** The environment for a child process: ours, and `defaults` where it says nothing. */
export function childEnvironment(defaults: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  return { ...defaults, ...process.env };
}

/** The variable that somebody named as the place of a secret. */
export function environmentVariable(name: string): string | undefined {
  return process.env[name];
}

/**
 * Packages write what they do to standard error where `DEBUG` names them: paths with tickets in them, among others. So none
 * is named from here on. Packages look when they are loaded.
 */
export function muteDebugging(): void {
  delete process.env['DEBUG'];
}
