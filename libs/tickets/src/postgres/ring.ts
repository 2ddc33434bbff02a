// Owns the ring of tables that short-lived tickets pass through: which table an id belongs to, and turning the ring.
import type { Pool, PoolClient } from 'pg';

/** The slots of the ring; each is an UNLOGGED table. */
export const SLOTS = ['0', '1', '2', '3'] as const;
export type Slot = (typeof SLOTS)[number];

/** Any one number; it keeps two nodes from turning the ring at once. */
const ROTATION_LOCK = 7_377_001;
/** How long callers of the table to be emptied may be held up. */
const LOCK_TIMEOUT = '50ms';

export function tableOf(slot: Slot): string {
  return `service_ticket_${slot}`;
}

export function nextSlot(slot: Slot): Slot {
  return SLOTS[(SLOTS.indexOf(slot) + 1) % SLOTS.length] ?? '0';
}

/** Reads the slot off the first character of an id's random part; undefined for an id not of this registry. */
export function slotOf(ticket: string): Slot | undefined {
  const mark = ticket[ticket.indexOf('-') + 1];
  return SLOTS.find((slot) => slot === mark);
}

/**
 * Moves the ring on by one table, when the current one has been filled for `period` milliseconds. The table that comes
 * next is emptied first, whole, which owes nothing to vacuum; never while it holds a ticket that is still live.
 * Another node at work, or a lock not had at once, leaves it to the next call.
 */
export async function rotate(pool: Pool, period: number): Promise<boolean> {
  const client = await pool.connect();
  let fault: unknown;
  try {
    await client.query('begin');
    const rotated = await rotateInTransaction(client, period);
    await client.query('commit');
    return rotated;
  } catch (error) {
    await client.query('rollback').catch((lost: unknown) => (fault = lost));
    if (isLockTimeout(error)) return false;
    throw error;
  } finally {
    client.release(fault !== undefined);
  }
}

async function rotateInTransaction(client: PoolClient, period: number): Promise<boolean> {
  const due = await client.query<{ slot: number }>(
    `select slot from service_ticket_ring
     where pg_try_advisory_xact_lock($1)
       and rotated_at <= now() - $2 * interval '1 millisecond'`,
    [ROTATION_LOCK, period],
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
