// Owns the sessions and services a benchmark runs with, written straight into the tables.
import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import { randomId, sha256 } from '@tessera/crypto';

const BATCH = 10_000;

/** Adds live sessions that have been used before; returns their TGTs, as far as asked for. */
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

/** As if the sessions had been used just now, so that no run pays for writing down another's uses. */
export async function touchSessions(pool: pg.Pool, tgts: readonly string[]): Promise<void> {
  await pool.query(
    'update ticket_granting_ticket set last_used_at = now() where id = any ($1::bytea[])',
    [tgts.map((tgt) => `\\x${sha256(tgt)}`)],
  );
}

/** Adds services that are not those the load is for. */
export async function addServices(pool: pg.Pool, count: number): Promise<void> {
  await pool.query(
    `insert into registered_service (service_id, name, description, evaluation_order)
     select '^https?://app' || n || '\\.example\\.org/.*', 'app ' || n, '', n
     from generate_series(1, $1::int) n`,
    [count],
  );
}

/** Statistics as a database in use has them. */
export async function settle(pool: pg.Pool): Promise<void> {
  await pool.query('vacuum analyze');
  await pool.query('checkpoint');
  await pause(500);
}
