// The record of a run of `npm run chaos` in docs/chaos.md: a timeline, and the tables between the two marks.

import type { Repository } from '../repository.ts';
import { drawTimeline, type Timeline } from './timeline.ts';

const PAGE = 'docs/chaos.md';
/** Each has a file in bench/results, a drawing of this name, and a part of the page. */
const RECORDS = ['chaos', 'chaos-asynchronous'] as const;

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
  readonly violationsByRule: Readonly<Record<string, number>>;
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

/** The page and its plots, by path; nothing of runs that have no result. */
export function chaosFiles(repository: Repository): ReadonlyMap<string, string> {
  const files = new Map<string, string>();
  for (const record of RECORDS) {
    const path = `bench/results/${record}.json`;
    if (!repository.has(path)) continue;
    const page = files.get(PAGE) ?? repository.read(PAGE);
    const result = JSON.parse(repository.read(path)) as Result;
    const names = result.faults.map(({ name }) => name);
    const plot = `images/plots/${record}.svg`;
    const [begin, end] = [`<!-- ${record} -->`, `<!-- /${record} -->`];
    const before = page.slice(0, page.indexOf(begin) + begin.length);
    const after = page.slice(page.indexOf(end));
    files.set(PAGE, `${before}\n\n${recordText(result, plot)}\n\n${after}`);
    files.set(`docs/${plot}`, drawTimeline(result.timeline, 'Operations a second', names));
  }
  return files;
}

/** @param plot its path, from the page */
function recordText(result: Result, plot: string): string {
  const leftOut = result.leftOut.length === 0 ? 'none' : result.leftOut.join('; ');
  return [
    `![Operations a second over the run, with a numbered band for each fault](${plot})`,
    `Scenario: ${result.scenario}. Faults left out: ${leftOut}.`,
    countsTable(result),
    faultsTable(result),
  ].join('\n\n');
}

function countsTable(result: Result): string {
  return table(
    ['', ''],
    [
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
      ...Object.entries(result.violationsByRule).map(([rule, count]) => [`of \`${rule}\``, count]),
      ...Object.entries(result.versions),
    ],
  );
}

function faultsTable({ faults }: Result): string {
  const columns = ['', 'Fault', 'Times', 'Logins, s', 'Tickets, s', 'Failed', 'Recovery, s'];
  const rows = faults.map(({ name, times, recovery, logins, tickets, failed }, index) => [
    index + 1,
    name,
    times,
    `${seconds(logins.median)} / ${seconds(logins.worst)}`,
    `${seconds(tickets.median)} / ${seconds(tickets.worst)}`,
    failed,
    recovery,
  ]);
  return table(columns, rows);
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
