// Prints the totals of jest runs, `N passed, N failed`, from their --outputFiles. A suite that could not run counts as one
// failure. Exits with 1 if anything failed, if no test ran, or if a file is missing.

import { existsSync, readFileSync } from 'node:fs';

interface Totals {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numRuntimeErrorTestSuites: number;
}

const paths = process.argv.slice(2);
const written = paths.filter((path) => existsSync(path));
const runs = written.map((path) => JSON.parse(readFileSync(path, 'utf8')) as Totals);
const sum = (of: (run: Totals) => number): number =>
  runs.reduce((total, run) => total + of(run), 0);
const passed = sum((run) => run.numPassedTests);
const failed = sum((run) => run.numFailedTests + run.numRuntimeErrorTestSuites);

console.log(`${String(passed)} passed, ${String(failed)} failed`);
if (failed > 0 || passed === 0 || written.length < paths.length) process.exitCode = 1;
