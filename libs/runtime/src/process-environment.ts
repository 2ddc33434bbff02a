// The environment variables that are no settings. libs/config reads the settings among them.

/** The environment of a child process: that of this process, and `defaults` for missing variables. */
export function childEnvironment(defaults: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  return { ...defaults, ...process.env };
}

const BESIDE_SSO = 'TESSERA_BESIDE_SSO';

/** The variable by which `tessera start` tells the config server that it starts the SSO application, too. */
export function besideSso(): Readonly<Record<string, string>> {
  return { [BESIDE_SSO]: 'true' };
}

/** Whether the SSO application was started together with this process. */
export function isBesideSso(): boolean {
  return process.env[BESIDE_SSO] === 'true';
}

/** Where the user was who ran `bin/tessera`, which runs in the folder of the installation; undefined without it. */
export function callerDirectory(): string | undefined {
  return process.env['TESSERA_CALLER_DIRECTORY'];
}

/** A variable that a setting, an option or another program's convention names as the place of a secret or a certificate. */
export function environmentVariable(name: string): string | undefined {
  return process.env[name];
}

/**
 * Removes `DEBUG`, by which packages write details such as paths with tickets to standard error. Packages read it when
 * they are loaded, so call it first.
 */
export function muteDebugging(): void {
  delete process.env['DEBUG'];
}
