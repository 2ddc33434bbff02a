// `npm run chaos`: puts load on two nodes, inflicts faults from a seeded schedule, and judges the record.
// docs/chaos.md has the options.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { brokenBuild, isPatch } from './broken-build.js';
import { missingPrograms, startEnvironment } from './environment/environment.js';
import { FAULTS, UNFENCED, type Fault } from './faults.js';
import { race } from './races.js';
import { run, writeRecord, type RunOptions } from './run.js';
import { summaryOf, type Summary } from './summary.js';
import type { ChaosTarget, LoadTarget } from './target.js';
import { REGISTRAR } from './users.js';

const SHORT_LIFETIME_MS = 60_000;
const NO_FENCING = 'no-fencing';
/** Longer than any run: of sessions that do not expire meanwhile. */
const LONG_LIFETIME_MS = 8 * 3_600_000;

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    minutes: { type: 'string', default: '10' },
    against: { type: 'string' },
    faults: { type: 'string' },
    asynchronous: { type: 'boolean', default: false },
    broken: { type: 'string' },
    races: { type: 'string' },
    'session-lifetime': { type: 'string' },
    json: { type: 'string' },
    record: { type: 'string' },
  },
});

process.exitCode = await main();

/** @returns the exit code: 1 for violations, 2 if it could not run */
async function main(): Promise<number> {
  if (values.against !== undefined) {
    const target = loadTargetAt(values.against);
    if (target !== undefined) return judged(target, []);
    print('--against takes an http URL');
    return 2;
  }
  const missing = missingPrograms();
  if (missing.length > 0) {
    print(`left out: there is no ${missing.join(' and no ')}`);
    return 2;
  }
  const { broken } = values;
  const build =
    broken !== undefined && isPatch(broken)
      ? await brokenBuild(broken)
      : { folder: process.cwd(), remove: async () => {} };
  try {
    const environment = await startEnvironment({
      build: build.folder,
      sessionLifetime: lifetime(),
      isSynchronous: !values.asynchronous,
      isFenced: broken !== NO_FENCING,
    });
    try {
      if (values.races !== undefined) return await race(environment, Number(values.races), print);
      return await judged(environment, broken === NO_FENCING ? UNFENCED : chosen(FAULTS));
    } finally {
      await environment.close();
    }
  } finally {
    await build.remove();
  }
}

async function judged(target: LoadTarget | ChaosTarget, faults: readonly Fault[]): Promise<number> {
  const leftOut = 'members' in target ? faults.flatMap((fault) => missingFor(fault, target)) : [];
  for (const line of leftOut) print(`left out: ${line}`);
  const possible = faults.filter(
    ({ name }) => !leftOut.some((line) => line.startsWith(`${name}:`)),
  );
  const options: RunOptions = {
    seed: Number(values.seed),
    minutes: Number(values.minutes),
    sessionLifetime: lifetime(),
    faults: possible,
    log: print,
  };
  const record = await run(target, options);
  if (values.record !== undefined) await writeRecord(values.record, record);
  const summary = summaryOf(record, {
    seed: options.seed,
    minutes: options.minutes,
    scenario: scenario(),
    versions: versions(),
    leftOut,
  });
  if (values.json !== undefined) {
    await writeFile(values.json, `${JSON.stringify(summary, null, 1)}\n`);
  }
  report(summary);
  return summary.violations > 0 ? 1 : 0;
}

function report(summary: Summary): void {
  const { timeline: _, listedViolations, faults, operations, ...rest } = summary;
  print(JSON.stringify(rest, null, 2));
  const kinds = Object.entries(operations);
  const lines = [
    ...kinds.map(([kind, counts]) => `${kind}: ${JSON.stringify(counts)}`),
    ...faults.map(({ name, times, logins, tickets, failed }) => {
      const [login, ticket] = [logins, tickets].map(
        ({ median, worst }) => `${median} / ${worst} s`,
      );
      return `${name}, ${times}x: logins ${login}, tickets ${ticket}, failed ${failed}`;
    }),
    ...listedViolations.map(({ rule, at, message }) => `VIOLATION ${rule} at ${at} ms: ${message}`),
  ];
  for (const line of lines) print(line);
  print(summary.violations === 0 ? 'no violation' : `${summary.violations} violations`);
}

function missingFor(fault: Fault, target: ChaosTarget): readonly string[] {
  const missing = fault.missing?.(target);
  return missing === undefined ? [] : [`${fault.name}: there is no ${missing}`];
}

/** Those that --faults names, by a part of their names. */
function chosen(faults: readonly Fault[]): readonly Fault[] {
  const parts = values.faults?.split(',');
  if (parts === undefined) return faults;
  return faults.filter(({ name }) => parts.some((part) => part !== '' && name.includes(part)));
}

function lifetime(): number {
  const { against, races, 'session-lifetime': seconds } = values;
  if (seconds !== undefined) return Number(seconds) * 1_000;
  return against === undefined && races === undefined ? SHORT_LIFETIME_MS : LONG_LIFETIME_MS;
}

function scenario(): string {
  if (values.against !== undefined) return 'a running installation';
  const replication = values.asynchronous ? 'asynchronous standby' : 'synchronous standby';
  return values.broken === undefined ? replication : `${replication}, broken: ${values.broken}`;
}

function loadTargetAt(url: string): LoadTarget | undefined {
  const { protocol, hostname: host, port, pathname } = URL.parse(url) ?? {};
  if (protocol !== 'http:' || host === undefined || pathname === undefined) return undefined;
  const proxy = { name: 'proxy', host, port: Number(port || 80) };
  const path = pathname.replace(/\/$/, '');
  return { proxy, nodes: [proxy], ownHost: '127.0.0.1', path, users: [REGISTRAR] };
}

function versions(): Readonly<Record<string, string>> {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
  const first = (program: string, ...args: readonly string[]): string =>
    execFileSync(program, args, { encoding: 'utf8' }).split('\n', 1)[0] ?? '';
  return {
    tessera: `${version} ${first('git', 'rev-parse', '--short', 'HEAD')}`,
    node: process.version,
    ...(values.against === undefined && installed(first)),
    kernel: first('uname', '-r'),
  };
}

function installed(first: (program: string, ...args: readonly string[]) => string) {
  return {
    postgresql: first('/usr/lib/postgresql/15/bin/postgres', '--version'),
    haproxy: first('/usr/sbin/haproxy', '-v'),
  };
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
