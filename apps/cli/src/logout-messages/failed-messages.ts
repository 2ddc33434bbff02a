// `tessera logout-messages list` and `retry`.
import { poolOf } from '@tessera/database';
import { withoutQuery } from '@tessera/logging';
import { type LogoutQueue, PostgresLogoutQueue, type QueuedLogoutMessage } from '@tessera/tickets';
import { CliError } from '../cli-error.js';
import { withDatabase, type CommandContext, type OpenDatabase } from '../database.js';
import { columns, indentedJson, writeLine, type Terminal } from '../terminal.js';

/** Messages that are read at once. */
const PAGE = 1_000;

/** Lists the messages of single logout that failed for good. */
export async function listFailedMessages(
  { json }: { readonly json?: boolean },
  { openDatabase, terminal }: CommandContext,
): Promise<void> {
  const failed = await withQueue(openDatabase, findFailed);
  writeLine(terminal.stdout, json ? indentedJson(failed.map(asJson)) : table(failed));
}

/** Puts failed messages back into the queue: those with these ids, or all. @throws CliError for an unknown id */
export async function retryFailedMessages(
  ids: readonly string[],
  { all = false }: { readonly all?: boolean },
  { openDatabase, terminal }: CommandContext,
): Promise<void> {
  if (all === ids.length > 0) throw new CliError('give the ids of messages, or --all');
  await withQueue(openDatabase, async (queue) => {
    if (!all) await refuseUnknown(ids, queue);
    const count = await queue.retry(all ? undefined : ids);
    report(count, terminal);
  });
}

/** @throws CliError that names the first unknown id, before anything is sent */
async function refuseUnknown(ids: readonly string[], queue: LogoutQueue): Promise<void> {
  const known = new Set((await findFailed(queue)).map(({ id }) => id));
  const unknown = ids.find((id) => !known.has(id));
  if (unknown !== undefined) throw new CliError(`no failed message has the id ${unknown}`);
}

function report(count: number, { stdout }: Terminal): void {
  writeLine(stdout, count === 1 ? '1 message is sent again' : `${count} messages are sent again`);
}

async function findFailed(queue: LogoutQueue): Promise<readonly QueuedLogoutMessage[]> {
  const found: QueuedLogoutMessage[] = [];
  for (;;) {
    const page = await queue.list({ state: 'failed', limit: PAGE, after: found.at(-1) });
    found.push(...page);
    if (page.length < PAGE) return found;
  }
}

function withQueue<T>(
  openDatabase: OpenDatabase,
  work: (queue: LogoutQueue) => Promise<T>,
): Promise<T> {
  return withDatabase(openDatabase, ({ dataSource }) =>
    work(new PostgresLogoutQueue(poolOf(dataSource))),
  );
}

function asJson(message: QueuedLogoutMessage): object {
  const { id, application, principal, endedAt, failedAt, reason } = message;
  return { id, service: withoutQuery(application), user: principal, endedAt, failedAt, reason };
}

function table(failed: readonly QueuedLogoutMessage[]): string {
  const rows = failed.map(({ id, application, principal, failedAt, reason }) => [
    id,
    withoutQuery(application),
    principal,
    failedAt?.toISOString() ?? '',
    reason ?? '',
  ]);
  return columns(['ID', 'SERVICE', 'USER', 'FAILED AT', 'REASON'], rows);
}
