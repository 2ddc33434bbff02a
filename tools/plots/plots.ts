// The plots of the documents, each from the JSON file of one part of the benchmark.

import type { Repository } from '../repository.ts';
import { chaosFiles } from './chaos.ts';
import { drawChart, type Chart, type Series } from './chart.ts';

const RESULTS = 'bench/results';
const PLOTS = 'docs/images/plots';

interface Result {
  readonly tables: readonly {
    readonly columns: readonly string[];
    readonly rows: readonly (readonly (string | number)[])[];
  }[];
}

/** Rows by column. */
type Row = Readonly<Record<string, string | number>>;

/** The plots of each part, by name. */
const PARTS: Readonly<Record<string, (rows: readonly Row[]) => Readonly<Record<string, Chart>>>> = {
  cycles: (rows) => ({
    'cycles-throughput': {
      kind: 'bars',
      title: 'Cycles a second',
      ...byConnections(rows, [
        ['Tessera', 'cycles/s', 'one'],
        ['floor', 'cycles/s', 'two'],
      ]),
    },
    'cycles-latency': {
      kind: 'lines',
      title: 'Time of a cycle, in ms',
      ...byConnections(rows, [
        ['Tessera', 'p50 ms', 'one'],
        ['Tessera', 'p99 ms', 'one'],
        ['floor', 'p50 ms', 'two'],
        ['floor', 'p99 ms', 'two'],
      ]),
    },
    'cycles-cpu': {
      kind: 'bars',
      title: 'CPU of the application and PostgreSQL for each cycle, in µs',
      ...byConnections(rows.map(withTotalCpu), [
        ['Tessera', 'CPU', 'one'],
        ['floor', 'CPU', 'two'],
      ]),
    },
  }),
  config: (all) => {
    const rows = all.filter((row) => row['connections'] === 8);
    const requests: Chart = {
      kind: 'bars',
      title: 'Requests a second to the config server, at 8 connections',
      axis: 'request',
      categories: unique(rows.map((row) => String(row['request']))),
      series: [
        { name: 'Tessera', values: column(rows, 'Tessera', 'requests/s'), color: 'one' },
        { name: 'floor', values: column(rows, 'floor', 'requests/s'), color: 'two' },
      ],
    };
    return { 'config-throughput': requests };
  },
  soak: (rows) => {
    const values = rows.map((row) => Number(row['PostgreSQL CPU µs/cycle']));
    const minutes: Chart = {
      kind: 'bars',
      title: "PostgreSQL's CPU for each cycle over ten minutes, in µs",
      axis: 'minute',
      categories: rows.map((row) => String(row['minute'])),
      series: [{ name: 'Tessera', values, color: 'one' }],
    };
    return { 'soak-cpu': minutes };
  },
};

/** The plots of all parts that have results, and the page of the record: paths and contents. */
export function plotsOf(repository: Repository): ReadonlyMap<string, string> {
  const charts = Object.entries(PARTS).flatMap(([part, chartsOf]) => {
    const path = `${RESULTS}/${part}.json`;
    return repository.has(path) ? Object.entries(chartsOf(rowsOf(repository, path))) : [];
  });
  const drawn = charts.map(([name, chart]) => [`${PLOTS}/${name}.svg`, drawChart(chart)] as const);
  return new Map([...drawn, ...chaosFiles(repository)]);
}

type Choice = readonly [server: string, column: string, color: Series['color']];

function byConnections(
  rows: readonly Row[],
  choices: readonly Choice[],
): Pick<Chart, 'axis' | 'categories' | 'series'> {
  const hasSeveral = new Set(choices.map(([, name]) => name)).size > 1;
  return {
    axis: 'connections',
    categories: unique(rows.map((row) => String(row['connections']))),
    series: choices.map(([server, name, color]) => ({
      name: hasSeveral ? `${server}, ${name.replace(' ms', '')}` : server,
      values: column(rows, server, name),
      color,
      isDashed: name.startsWith('p50'),
    })),
  };
}

function withTotalCpu(row: Row): Row {
  const own = Number(row['our CPU µs/cycle']);
  return { ...row, CPU: own + Number(row['PostgreSQL CPU µs/cycle']) };
}

/** The values of one server. */
function column(rows: readonly Row[], server: string, name: string): readonly number[] {
  return rows.filter((row) => row[''] === server).map((row) => Number(row[name]));
}

/** The rows of the first table. @throws Error for a file without one */
function rowsOf(repository: Repository, path: string): readonly Row[] {
  const { tables } = JSON.parse(repository.read(path)) as Result;
  const [table] = tables;
  if (table === undefined) throw new Error(`${path} has no table`);
  return table.rows.map((row) =>
    Object.fromEntries(table.columns.map((name, index) => [name, row[index] ?? ''])),
  );
}

function unique(values: readonly string[]): readonly string[] {
  return [...new Set(values)];
}
