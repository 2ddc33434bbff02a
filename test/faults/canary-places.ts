// Owns the places where secrets could turn up, and what was seen of each. What is looked for in them is the spec's.
import type { Reply } from '../support/http.js';
import type { Program } from '../support/process.js';
import { commandLines } from './canaries.js';

export const PLACES = [
  'log',
  'standard error',
  'answers',
  'explain',
  'command lines',
  'files',
] as const;
type Place = (typeof PLACES)[number];

/** The name of a profile, no secret: what is seen of it in a place shows that the place is looked at. */
export const TRACER = 'tracer-of-all-places';

export const seen: Readonly<Record<Place, string[]>> = {
  log: [],
  'standard error': [],
  answers: [],
  explain: [],
  'command lines': [],
  files: [],
};

export function lookAtOutput({ stdout, stderr }: Program): void {
  seen.log.push(stdout);
  seen['standard error'].push(stderr);
}

export function lookAtCommandLines({ pid }: Program): void {
  seen['command lines'].push(commandLines(pid));
}

/** @param own what the answer is there to tell, which nobody else is told */
export function lookAtAnswer({ status, headers, body }: Reply, own?: RegExp): void {
  const said = `${status} ${JSON.stringify(headers)} ${body}`;
  seen.answers.push(own === undefined ? said : said.replaceAll(own, '(own)'));
}
