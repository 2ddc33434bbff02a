// `tessera audit`: finds events of the audit trail, and follows new ones.
import { setTimeout as sleep } from 'node:timers/promises';
import type { DataSource } from 'typeorm';
import { AuditSearch, type AuditQuery, type StoredAuditRecord } from '@tessera/audit';
import { parseDuration } from '@tessera/config';
import { isUnavailable, withUnlimitedSession } from '@tessera/database';
import { CliError } from '../cli-error.js';
import { withDatabase, type CommandContext } from '../database.js';
import { escapeForTerminal, escapeJsonForTerminal, writeLine, type Terminal } from '../terminal.js';

export interface AuditOptions {
  readonly user?: string;
  readonly service?: string;
  readonly action?: string;
  readonly outcome?: AuditQuery['outcome'];
  readonly since?: string;
  readonly until?: string;
  readonly limit: string;
  readonly json?: boolean;
  readonly follow?: boolean;
}

const MAX_LIMIT = 100_000;
const PAGE = 1_000;
const FOLLOW_INTERVAL_MS = 500;
const RECONNECT_MS = 1_000;
/** Nodes write their events in batches, and their clocks differ: a later event may have an earlier time. */
const SETTLING_MS = 2_000;
/** RFC 3339, or a date alone. */
const TIME = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d))?$/;

export async function searchAudit(
  options: AuditOptions,
  { openDatabase, terminal }: CommandContext,
): Promise<void> {
  const query = queryOf(options);
  const limit = limitOf(options.limit);
  const print = printer(options, terminal);
  await withDatabase(openDatabase, async ({ dataSource }) => {
    const found = await withSearch(dataSource, (search) => findNewest(search, query, limit));
    found.forEach(print);
    if (options.follow) await follow({ dataSource, query, print, terminal }, found);
  });
}

function withSearch<T>(
  dataSource: DataSource,
  work: (search: AuditSearch) => Promise<T>,
): Promise<T> {
  return withUnlimitedSession(dataSource, (session) =>
    work(new AuditSearch((text, values) => session.query(text, values))),
  );
}

/** The oldest first. */
async function findNewest(
  search: AuditSearch,
  query: AuditQuery,
  limit: number,
): Promise<readonly StoredAuditRecord[]> {
  const found: StoredAuditRecord[] = [];
  while (found.length < limit) {
    const size = Math.min(PAGE, limit - found.length);
    const page = await search.find(query, size, found.at(-1));
    found.push(...page);
    if (page.length < size) break;
  }
  return found.toReversed();
}

interface Following {
  readonly dataSource: DataSource;
  readonly query: AuditQuery;
  readonly print: (record: StoredAuditRecord) => void;
  readonly terminal: Terminal;
}

/** Waits while the database is unavailable. Ends with the process. */
async function follow(
  { dataSource, query, print, terminal }: Following,
  printed: readonly StoredAuditRecord[],
): Promise<never> {
  const printNew = newRecords(query, printed);
  for (let isTold = false; ; await sleep(RECONNECT_MS)) {
    try {
      await withSearch(dataSource, async (search) => {
        for (isTold = false; ; await sleep(FOLLOW_INTERVAL_MS)) await printNew(search, print);
      });
    } catch (error) {
      if (!isUnavailable(error)) throw error;
      if (!isTold) writeLine(terminal.stderr, 'tessera: the database is not available: waiting');
      isTold = true;
    }
  }
}

/** @returns a function that prints the records that were not printed before, but those older than the first one printed */
function newRecords(query: AuditQuery, printed: readonly StoredAuditRecord[]) {
  const seen = new Map(printed.map(({ id, occurredAt }) => [id, occurredAt]));
  const now = Date.now();
  const start = printed[0]?.occurredAt ?? new Date(now - SETTLING_MS);
  let newest = printed.at(-1)?.occurredAt ?? new Date(now);
  return async (search: AuditSearch, print: Following['print']): Promise<void> => {
    const settled = newest.getTime() - SETTLING_MS;
    const since = new Date(Math.max(settled, start.getTime()));
    const found = await findNewest(search, { ...query, since }, MAX_LIMIT);
    for (const record of found.filter(({ id }) => !seen.has(id))) {
      seen.set(record.id, record.occurredAt);
      print(record);
    }
    newest = found.at(-1)?.occurredAt ?? newest;
    for (const [id, time] of seen) if (time < since) seen.delete(id);
  };
}

/** @throws CliError */
function queryOf({
  user,
  service,
  action,
  outcome,
  follow: follows,
  ...times
}: AuditOptions): AuditQuery {
  const since = times.since === undefined ? undefined : timeOf('--since', times.since);
  const until = times.until === undefined ? undefined : timeOf('--until', times.until);
  if (until && follows) throw new CliError('--follow goes on without an end: leave out --until');
  if (since && until && since >= until) throw new CliError('--since must be before --until');
  return { user, service, action, outcome, since, until };
}

/** @throws CliError */
function timeOf(option: string, text: string): Date {
  const age = parseDuration(text);
  if (age !== undefined) return new Date(Math.max(Date.now() - age, 0));
  const time = TIME.test(text) && isDay(text.slice(0, 10)) ? new Date(text) : undefined;
  if (time !== undefined && !Number.isNaN(time.getTime())) return time;
  throw new CliError(`${option} must be a time such as 2026-11-24T08:00:00Z, or an age such as 2h`);
}

/** JavaScript takes 30 February for 2 March. */
function isDay(text: string): boolean {
  const day = new Date(text);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text);
}

function limitOf(text: string): number {
  const limit = /^\d{1,6}$/.test(text) ? Number(text) : 0;
  if (limit < 1 || limit > MAX_LIMIT) throw new CliError(`--limit must be 1 to ${MAX_LIMIT}`);
  return limit;
}

function printer(
  { json }: AuditOptions,
  { stdout }: Terminal,
): (record: StoredAuditRecord) => void {
  const line = json ? jsonLine : textLine;
  return (record) => writeLine(stdout, line(record));
}

function jsonLine(record: StoredAuditRecord): string {
  const given = Object.entries(record).filter(([, value]) => value !== null);
  return escapeJsonForTerminal(JSON.stringify(Object.fromEntries(given)));
}

/** `2026-11-24T08:00:00.000Z END_SESSIONS success by root of ann from 192.0.2.1 on sso/n1 {"sessions":2}` */
function textLine(record: StoredAuditRecord): string {
  const { occurredAt, action, outcome, principal, subject, service, clientAddress } = record;
  const parts = [
    `${occurredAt.toISOString()} ${action} ${outcome}`,
    principal !== null && `by ${principal}`,
    subject !== null && `of ${subject}`,
    service !== null && `for ${service}`,
    clientAddress !== null && `from ${clientAddress}`,
    record.reason !== null && `(${record.reason})`,
    `on ${record.application}/${record.node}`,
    record.details !== null && JSON.stringify(record.details),
  ];
  return escapeForTerminal(parts.filter(Boolean).join(' '));
}
