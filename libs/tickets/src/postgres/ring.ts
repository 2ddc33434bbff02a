// The ring of tables for short-lived tickets: the table of an id, and the rotation of the ring.
import type { Pool, PoolClient } from 'pg';

/** The slots of the ring, each with an UNLOGGED table. */
export const SLOTS = ['0', '1', '2', '3'] as const;
export type Slot = (typeof SLOTS)[number];

/** The advisory lock that keeps two nodes from rotating the ring at once; an arbitrary number. */
const ROTATION_LOCK = 7_377_001;
/** The longest time that the rotation may block users of the table it empties. */
const LOCK_TIMEOUT = '50ms';

export function tableOf(slot: Slot): string {
  return `service_ticket_${slot}`;
}

export function nextSlot(slot: Slot): Slot {
  return SLOTS[(SLOTS.indexOf(slot) + 1) % SLOTS.length] ?? '0';
}

/** The slot of an id, the first character of its random part; undefined for an id of another registry. */
export function slotOf(ticket: string): Slot | undefined {
  const mark = ticket[ticket.indexOf('-') + 1];
  return SLOTS.find((slot) => slot === mark);
}

/**
 * Rotates the ring by one table when the current one has been in use for `period` milliseconds. Truncates the next table
 * first, which leaves no work for vacuum; never while it has a live ticket. Where another node rotates, or the lock is not
 * free in time, the next call tries again.
 *
 * @returns whether the ring was rotated
 */
export async function rotate(pool: Pool, period: number): Promise<boolean> {
  const client = await pool.connect();
  let rollbackError: unknown;
  try {
    await client.query('begin');
    const rotated = await rotateInTransaction(client, period);
    await client.query('commit');
    return rotated;
  } catch (error) {
    await client.query('rollback').catch((lost: unknown) => (rollbackError = lost));
    if (isLockTimeout(error)) return false;
    throw error;
  } finally {
    client.release(rollbackError !== undefined);
  }
}

async function rotateInTransaction(client: PoolClient, period: number): Promise<boolean> {
  // The lock has a statement of its own: a statement reads as of its start, which may be before the lock was free.
  const lock = await client.query<{ acquired: boolean }>(
    'select pg_try_advisory_xact_lock($1) as acquired',
    [ROTATION_LOCK],
  );
  if (lock.rows[0]?.acquired !== true) return false;
  const due = await client.query<{ slot: number }>(
    `select slot from service_ticket_ring
     where rotated_at <= now() - $1 * interval '1 millisecond'`,
    [period],
  );
  const current = SLOTS.find((slot) => slot === String(due.rows[0]?.slot));
  if (current === undefined) return false;
  if (!(await holdsAny(client, current, 'true'))) return false;
  const next = nextSlot(current);
  await client.query(`set local lock_timeout = '${LOCK_TIMEOUT}'`);
  await client.query(`lock table ${tableOf(next)} in access exclusive mode`);
  if (await holdsAny(client, next, 'expires_at > clock_timestamp()')) return false;
  await client.query(`truncate ${tableOf(next)}`);
  await client.query('update service_ticket_ring set slot = $1, rotated_at = now()', [next]);
  return true;
}

/** @see PostgreSQL documentation, appendix A: 55P03 lock_not_available */
function isLockTimeout(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '55P03';
}

async function holdsAny(client: PoolClient, slot: Slot, condition: string): Promise<boolean> {
  const answer = await client.query<{ found: boolean }>(
    `select exists (select from ${tableOf(slot)} where ${condition}) as found`,
  );
  return answer.rows[0]?.found === true;
}
