// The Node version that the programs need.

/** The major version. */
const MINIMUM = 24;

/**
 * Under an older Node, writes one line to standard error and exits with 1. Import the rest of the program after it, by
 * `await import(…)`: an older Node fails when it links the modules, before it runs any code.
 */
export function refuseOlderNode(): void {
  const error = versionError(process.versions.node);
  if (error === undefined) return;
  process.stderr.write(`${error}\n`);
  // oxlint-disable-next-line unicorn/no-process-exit -- no module that handles errors is loaded yet
  process.exit(1);
}

/** The error for a version such as `20.20.2`; undefined for one that is new enough. */
export function versionError(version: string): string | undefined {
  if (Number.parseInt(version, 10) >= MINIMUM) return undefined;
  return `Tessera needs Node ${MINIMUM} or newer, and this is ${version}: use npm start, bin/tessera or node_modules/.bin/node`;
}
