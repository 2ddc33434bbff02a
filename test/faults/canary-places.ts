// Owns the places where secrets could turn up, and what was seen of each. What is looked for in them is the spec's.
import type { Reply } from '../support/http.js';
import type { Program } from '../support/process.js';
import { commandLines } from './canaries.js';

export const OUTPUTS = [
  'log',
  'standard error',
  'answers',
  'explain',
  'command lines',
  'files',
] as const;
type Output = (typeof OUTPUTS)[number];

/** The name of a profile, no secret: what is seen of it in a place shows that the place is looked at. */
export const TRACER = 'tracer-of-all-places';

export const recorded: Readonly<Record<Output, string[]>> = {
  log: [],
  'standard error': [],
  answers: [],
  explain: [],
  'command lines': [],
  files: [],
};

export function recordOutput({ stdout, stderr }: Program): void {
  recorded.log.push(stdout);
  recorded['standard error'].push(stderr);
}

export function recordCommandLines({ pid }: Program): void {
  recorded['command lines'].push(commandLines(pid));
}

/** @param expected what the answer is there to tell, which nobody else is told */
export function recordAnswer({ status, headers, body }: Reply, expected?: RegExp): void {
  const said = `${status} ${JSON.stringify(headers)} ${body}`;
  recorded.answers.push(expected === undefined ? said : said.replaceAll(expected, '(own)'));
}
