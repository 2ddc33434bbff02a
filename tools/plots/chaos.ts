// The record of a run of `npm run chaos` in docs/chaos.md: a timeline, and the tables between the two marks.

import type { Repository } from '../repository.ts';
import { drawTimeline, type Timeline } from './timeline.ts';

const RESULT = 'bench/results/chaos.json';
const PAGE = 'docs/chaos.md';
const PLOT = 'docs/images/plots/chaos.svg';
const [BEGIN, END] = ['<!-- record -->', '<!-- /record -->'];

interface Unavailability {
  readonly median: number;
  readonly worst: number;
}

interface Result {
  readonly seed: number;
  readonly minutes: number;
  readonly scenario: string;
  readonly versions: Readonly<Record<string, string>>;
  readonly leftOut: readonly string[];
  readonly total: number;
  readonly unknown: number;
  readonly sessions: number;
  readonly acceptedTickets: number;
  readonly logoutMessages: number;
  readonly excusedMessages: number;
  readonly failedDuringFaults: number;
  readonly violations: number;
  readonly faults: readonly {
    readonly name: string;
    readonly times: number;
    readonly recovery: number;
    readonly logins: Unavailability;
    readonly tickets: Unavailability;
    readonly failed: number;
  }[];
  readonly timeline: Timeline;
}

/** The page and its plot, by path; nothing before the first run. */
export function chaosFiles(repository: Repository): ReadonlyMap<string, string> {
  if (!repository.has(RESULT)) return new Map();
  const result = JSON.parse(repository.read(RESULT)) as Result;
  const names = result.faults.map(({ name }) => name);
  const page = repository.read(PAGE);
  const [begin, end] = [page.indexOf(BEGIN), page.indexOf(END)];
  const text = `${page.slice(0, begin + BEGIN.length)}\n\n${recordText(result)}\n\n${page.slice(end)}`;
  return new Map([
    [PAGE, text],
    [PLOT, drawTimeline(result.timeline, 'Operations a second', names)],
  ]);
}

function recordText(result: Result): string {
  const versions = Object.entries(result.versions).map(([name, version]) => [name, version]);
  const counts = [
    ['seed', result.seed],
    ['minutes', result.minutes],
    ['operations', result.total],
    ['sessions', result.sessions],
    ['accepted tickets', result.acceptedTickets],
    ['logout messages', result.logoutMessages],
    ['unknown outcomes', result.unknown],
    ['failed or slow, during faults', result.failedDuringFaults],
    ['records that a crash of PostgreSQL has lost', result.excusedMessages],
    ['**violations**', `**${result.violations}**`],
  ];
  const faults = result.faults.map(({ name, times, recovery, logins, tickets, failed }, index) => [
    index + 1,
    name,
    times,
    `${seconds(logins.median)} / ${seconds(logins.worst)}`,
    `${seconds(tickets.median)} / ${seconds(tickets.worst)}`,
    failed,
    recovery,
  ]);
  const columns = ['', 'Fault', 'Times', 'Logins, s', 'Tickets, s', 'Failed', 'Recovery, s'];
  const leftOut = result.leftOut.length === 0 ? 'none' : result.leftOut.join('; ');
  return [
    `![Operations a second over the run, with a numbered band for each fault](images/plots/chaos.svg)`,
    `Scenario: ${result.scenario}. Faults left out: ${leftOut}.`,
    table(['', ''], [...counts, ...versions]),
    table(columns, faults),
  ].join('\n\n');
}

function seconds(value: number): string {
  return value.toFixed(1);
}

/** As the formatter of the repository writes it. */
function table(
  columns: readonly string[],
  rows: readonly (readonly (string | number)[])[],
): string {
  const cells = [columns, ...rows.map((row) => row.map(String))];
  const widths = columns.map((_, at) => Math.max(3, ...cells.map((row) => row[at]?.length ?? 0)));
  const lines = cells.map((row) => row.map((cell, at) => cell.padEnd(widths[at] ?? 0)));
  lines.splice(
    1,
    0,
    widths.map((width) => '-'.repeat(width)),
  );
  return lines.map((line) => `| ${line.join(' | ')} |`).join('\n');
}
