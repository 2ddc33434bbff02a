// Owns which Node the programs run on, and what is said under an older one.

/** The major version; it is installed with the packages. */
const OLDEST = 24;

/**
 * Ends the process with 1, and one line on standard error, under an older Node. Import the rest of a program after it, by
 * `await import(…)`: an older Node fails on what it links, before it runs anything.
 */
export function refuseOlderNode(): void {
  const complaint = complaintAbout(process.versions.node);
  if (complaint === undefined) return;
  process.stderr.write(`${complaint}\n`);
  // oxlint-disable-next-line unicorn/no-process-exit -- what would catch an error is not to be loaded any more
  process.exit(1);
}

/** What is wrong with a version such as `20.20.2`; undefined where it will do. */
export function complaintAbout(version: string): string | undefined {
  if (Number.parseInt(version, 10) >= OLDEST) return undefined;
  return `Tessera needs Node ${OLDEST} or newer, and this is ${version}: use npm start, npx tessera or node_modules/.bin/node`;
}
