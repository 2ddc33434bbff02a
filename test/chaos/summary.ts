// The summary of a run: what was done, what failed, and how long the service was unavailable by fault.
import { faultDuring, type ChaosRecord, type FaultWindow, type Operation } from './record.js';
import { excusedMessages, isUnavailable, violationsOf, type Violation } from './rules.js';

/** Points of the timeline. */
const STEP_MS = 1_000;
/** Violations of each rule that are listed. */
const MAX_LISTED = 20;

/** In seconds: the longest time without a success behind the proxy. */
interface Unavailability {
  readonly median: number;
  readonly worst: number;
}

interface FaultSummary {
  readonly name: string;
  readonly times: number;
  /** Stated, in seconds. */
  readonly recovery: number;
  readonly logins: Unavailability;
  readonly tickets: Unavailability;
  /** Operations that failed or were slow. */
  readonly failed: number;
}

export interface RunFacts {
  readonly seed: number;
  readonly minutes: number;
  readonly scenario: string;
  readonly versions: Readonly<Record<string, string>>;
  /** Faults that were not possible, with what is missing. */
  readonly leftOut: readonly string[];
}

export interface Summary extends RunFacts {
  readonly operations: Readonly<Record<string, Readonly<Record<string, number>>>>;
  readonly total: number;
  readonly unknown: number;
  readonly sessions: number;
  readonly acceptedTickets: number;
  readonly logoutMessages: number;
  /** Without a message, because a crash of PostgreSQL may have lost the record. */
  readonly excusedMessages: number;
  /** Failed or slow operations in the time of a fault. */
  readonly failedDuringFaults: number;
  readonly faults: readonly FaultSummary[];
  readonly violations: number;
  readonly violationsByRule: Readonly<Record<string, number>>;
  readonly listedViolations: readonly Violation[];
  readonly timeline: Timeline;
}

export interface Timeline {
  /** Successes and failures in each second. */
  readonly succeeded: readonly number[];
  readonly failed: readonly number[];
  /** In seconds from the start. */
  readonly faults: readonly { readonly name: string; readonly from: number; readonly to: number }[];
}

export function summaryOf(record: ChaosRecord, facts: RunFacts): Summary {
  const { operations, faults, messages } = record;
  const violations = violationsOf(record);
  const start = operations[0]?.sent ?? 0;
  const ok = operations.filter(({ outcome }) => outcome === 'ok');
  return {
    ...facts,
    operations: countsOf(operations),
    total: operations.length,
    unknown: operations.filter(({ outcome }) => outcome === 'unknown').length,
    sessions: ok.filter(({ kind }) => kind === 'login' || kind === 'form-login').length,
    acceptedTickets: ok.filter(({ kind }) => kind.endsWith('validate')).length,
    logoutMessages: messages.length,
    excusedMessages: excusedMessages(record),
    failedDuringFaults: operations
      .filter(isUnavailable)
      .filter(({ sent, answered }) => faultDuring(faults, { from: sent, to: answered })).length,
    faults: [...Map.groupBy(faults, ({ name }) => name).values()].map((windows) =>
      faultSummary(operations, windows),
    ),
    violations: violations.length,
    violationsByRule: countsBy(violations, ({ rule }) => rule),
    listedViolations: [...Map.groupBy(violations, ({ rule }) => rule).values()]
      .flatMap((each) => each.slice(0, MAX_LISTED))
      .map((each) => ({ ...each, at: Math.round(each.at - start) })),
    timeline: timelineOf(record, start),
  };
}

function countsBy<T>(all: readonly T[], key: (each: T) => string): Record<string, number> {
  const groups = Map.groupBy(all, key);
  return Object.fromEntries([...groups].map(([name, each]) => [name, each.length]));
}

/** By kind and outcome. */
function countsOf(operations: readonly Operation[]): Summary['operations'] {
  const kinds = Map.groupBy(operations, ({ kind }) => kind);
  const counts = [...kinds].map(([kind, each]) => [kind, countsBy(each, ({ outcome }) => outcome)]);
  return Object.fromEntries(counts) as Summary['operations'];
}

function faultSummary(
  operations: readonly Operation[],
  windows: readonly FaultWindow[],
): FaultSummary {
  const [{ name, recovery }] = windows as [FaultWindow];
  const through = (kinds: readonly string[]): Unavailability => {
    const gaps = windows
      .map((window) => longestGap(operations, window, kinds))
      .toSorted((one, other) => one - other);
    return { median: gaps[Math.floor((gaps.length - 1) / 2)] ?? 0, worst: gaps.at(-1) ?? 0 };
  };
  return {
    name,
    times: windows.length,
    recovery: recovery / 1_000,
    logins: through(['login', 'form-login']),
    tickets: through(['grant', 'validate']),
    failed: operations
      .filter(isUnavailable)
      .filter(({ sent, answered }) => faultDuring(windows, { from: sent, to: answered })).length,
  };
}

/** Longest time between successes behind the proxy, in seconds. */
function longestGap(
  operations: readonly Operation[],
  { from, healed, recovery }: FaultWindow,
  kinds: readonly string[],
): number {
  const end = healed + recovery;
  const successes = operations
    .filter(({ to, kind, outcome }) => to === 'proxy' && outcome === 'ok' && kinds.includes(kind))
    .map(({ answered }) => answered)
    .filter((answered) => answered > from && answered < end)
    .toSorted((one, other) => one - other);
  let longest = 0;
  let last = from;
  for (const answered of [...successes, end]) {
    longest = Math.max(longest, answered - last);
    last = answered;
  }
  return Math.round(longest) / 1_000;
}

function timelineOf({ operations, faults }: ChaosRecord, start: number): Timeline {
  const last = operations.reduce((latest, { answered }) => Math.max(latest, answered), start);
  const seconds = Math.ceil((last - start) / STEP_MS);
  const succeeded = Array.from({ length: seconds }, () => 0);
  const failed = [...succeeded];
  for (const each of operations) {
    const counts = isUnavailable(each) ? failed : succeeded;
    const second = Math.min(seconds - 1, Math.floor((each.answered - start) / STEP_MS));
    counts[second] = (counts[second] ?? 0) + 1;
  }
  const inSeconds = (time: number): number => Math.round((time - start) / 100) / 10;
  return {
    succeeded,
    failed,
    faults: faults.map(({ name, from, healed }) => ({
      name,
      from: inSeconds(from),
      to: inSeconds(healed),
    })),
  };
}
