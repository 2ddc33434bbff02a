// Prints the totals of a jest run, `N passed, N failed`, from its --outputFile. A suite that could not run counts as one
// failure. Exits with 1 if anything failed, if no test ran, or if there is no such file.

import { existsSync, readFileSync } from 'node:fs';

interface Totals {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numRuntimeErrorTestSuites: number;
}

const NOTHING: Totals = { numPassedTests: 0, numFailedTests: 0, numRuntimeErrorTestSuites: 0 };

const path = process.argv[2] ?? '';
const totals = existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Totals) : NOTHING;
const failed = totals.numFailedTests + totals.numRuntimeErrorTestSuites;

console.log(`${String(totals.numPassedTests)} passed, ${String(failed)} failed`);
if (failed > 0 || totals.numPassedTests === 0) process.exitCode = 1;
