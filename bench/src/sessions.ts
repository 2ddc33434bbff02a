// Writes the sessions and services of a benchmark directly into the tables.
import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import { randomId, sha256 } from '@tessera/crypto';

const BATCH = 10_000;

/** Adds valid sessions that have granted a ticket before; returns the TGTs of the first `keep`. */
export async function addSessions(
  pool: pg.Pool,
  count: number,
  keep: number = count,
): Promise<string[]> {
  const kept: string[] = [];
  for (let done = 0; done < count; done += BATCH) {
    const size = Math.min(BATCH, count - done);
    const tgts = Array.from({ length: size }, () => `TGT-${randomId(43)}`);
    await pool.query(
      `insert into ticket_granting_ticket (id, principal, attributes, handler, credential_type,
         authenticated_at, service_ticket_granted, expires_at, hard_expires_at)
       select id, 'casuser', '{"mail": ["casuser@example.org"], "memberOf": ["staff", "admin"]}',
         'static', 'UsernamePasswordCredential', now(), true,
         now() + interval '2 hours', now() + interval '8 hours'
       from unnest($1::bytea[]) id`,
      [tgts.map((tgt) => `\\x${sha256(tgt)}`)],
    );
    if (kept.length < keep) kept.push(...tgts.slice(0, keep - kept.length));
  }
  return kept;
}

/** Marks the sessions as used now, so that no run pays for updates that an earlier one has caused. */
export async function touchSessions(pool: pg.Pool, tgts: readonly string[]): Promise<void> {
  await pool.query(
    'update ticket_granting_ticket set last_used_at = now() where id = any ($1::bytea[])',
    [tgts.map((tgt) => `\\x${sha256(tgt)}`)],
  );
}

/**
 * Adds services, `https://app1.example.org/` and so on.
 *
 * @param requirement the required attributes, as an SQL expression of the number `n`
 */
export async function addServices(
  pool: pg.Pool,
  count: number,
  requirement = `'{}'`,
): Promise<void> {
  await pool.query(
    `insert into registered_service
       (service_id, name, description, evaluation_order, required_attributes)
     select '^https?://app' || n || '\\.example\\.org/.*', 'app ' || n, '', n, ${requirement}::jsonb
     from generate_series(1, $1::int) n`,
    [count],
  );
}

/** Updates the planner statistics, as autovacuum does in production. */
export async function vacuumAndCheckpoint(pool: pg.Pool): Promise<void> {
  await pool.query('vacuum analyze');
  await pool.query('checkpoint');
  await pause(500);
}
