// `tessera audit`: finds events of the audit trail, and follows new ones.
import { setTimeout as sleep } from 'node:timers/promises';
import { AuditSearch, type AuditQuery, type StoredAuditRecord } from '@tessera/audit';
import { parseDuration } from '@tessera/config';
import { withUnlimitedSession } from '@tessera/database';
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
  await withDatabase(openDatabase, ({ dataSource }) =>
    withUnlimitedSession(dataSource, async (session) => {
      const search = new AuditSearch((text, values) => session.query(text, values));
      const found = await findNewest(search, query, limit);
      found.forEach(print);
      if (options.follow) await follow({ search, query, print }, found);
    }),
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
  readonly search: AuditSearch;
  readonly query: AuditQuery;
  readonly print: (record: StoredAuditRecord) => void;
}

/** Ends with the process. */
async function follow(
  { search, query, print }: Following,
  printed: readonly StoredAuditRecord[],
): Promise<never> {
  const seen = new Map(printed.map(({ id, occurredAt }) => [id, occurredAt]));
  let newest = printed.at(-1)?.occurredAt ?? new Date();
  for (;;) {
    await sleep(FOLLOW_INTERVAL_MS);
    const since = new Date(newest.getTime() - SETTLING_MS);
    const found = await findNewest(search, { ...query, since }, MAX_LIMIT);
    for (const record of found.filter(({ id }) => !seen.has(id))) {
      seen.set(record.id, record.occurredAt);
      print(record);
    }
    newest = found.at(-1)?.occurredAt ?? newest;
    for (const [id, time] of seen) if (time < since) seen.delete(id);
  }
}

function queryOf({ user, service, action, outcome, since, until }: AuditOptions): AuditQuery {
  return {
    user,
    service,
    action,
    outcome,
    since: since === undefined ? undefined : timeOf('--since', since),
    until: until === undefined ? undefined : timeOf('--until', until),
  };
}

/** @throws CliError */
function timeOf(option: string, text: string): Date {
  const age = parseDuration(text);
  if (age !== undefined) return new Date(Date.now() - age);
  const time = TIME.test(text) ? new Date(text) : undefined;
  if (time !== undefined && !Number.isNaN(time.getTime())) return time;
  throw new CliError(`${option} must be a time such as 2026-11-24T08:00:00Z, or an age such as 2h`);
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

function jsonLine({ id: _, ...record }: StoredAuditRecord): string {
  const given = Object.entries(record).filter(([, value]) => value !== null);
  return escapeJsonForTerminal(JSON.stringify(Object.fromEntries(given)));
}

/** `2026-11-24T08:00:00.000Z LOGIN failure ann from 192.0.2.1 (CREDENTIALS_REFUSED) on sso/n1` */
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
  ];
  return escapeForTerminal(parts.filter(Boolean).join(' '));
}
