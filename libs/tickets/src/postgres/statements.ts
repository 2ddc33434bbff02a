// The hot statements, one of each kind per table of the ring. They take arrays, so that one execution serves many requests.
// text-format.ts writes their parameters and reads their rows.
//
// No plan may depend on statistics: a new database has none, and those of an empty table mislead. A session is looked up by
// a subquery that PostgreSQL cannot turn into a join (OFFSET 0, or a scalar one), because a join may scan all sessions.
import { nextSlot, tableOf, type Slot } from './ring.js';

const MILLISECONDS = `* interval '1 millisecond'`;

/** LIMIT tells the planner that there is one row: without statistics it expects thousands. */
const RING = `(select slot from service_ticket_ring limit 1)`;

/** A slot one rotation behind is still safe to write to: its table is truncated two rotations later. */
function isUsable(slot: Slot): string {
  return `r.slot in (${slot}, ${nextSlot(slot)})`;
}

/**
 * Grants STs. $1 ids, $2 TGTs, $3 services, $4 with credentials, $5 new login only, $6 may be the first of its session
 * (set for one request per session and batch), $7 lifetimes, $8 idle time and $9 touch resolution in ms.
 *
 * The first ticket of a session, and then one per touch resolution, writes the session's row by a function; all other
 * requests only read the row. The function returns null where the session has just been destroyed. The caller sorts the
 * batch by $2, so that two batches take their locks in one order.
 *
 * Returns for each request its place from 1, the verdict, the slot for new tickets, and the principal of the session.
 */
export function grantStatement(slot: Slot): string {
  return `
with decided as (
  select n, id, session_id, principal, service, slot, with_credentials or is_first as from_new_login,
    case when not usable then 'stale'
      when session_id is null or is_first is null then 'granting-ticket-not-found'
      when new_login_only and not (with_credentials or is_first) then 'new-login-required'
      else 'granted' end as verdict
  from (
    select n, ($1::bytea[])[n] as id, s.id as session_id, s.principal, ($3::text[])[n] as service,
      ($4::boolean[])[n] as with_credentials, ($5::boolean[])[n] as new_login_only,
      r.slot, ${isUsable(slot)} as usable,
      case when s.id is null then false
        when ($6::boolean[])[n]
          and (not s.service_ticket_granted or s.last_used_at <= now() - $9::float8 ${MILLISECONDS})
          then mark_service_ticket_granted(s.id, $8::float8, $9::float8)
        else false end as is_first
    from ${RING} r
    cross join generate_subscripts($1::bytea[], 1) as n
    left join lateral (
      select id, principal, service_ticket_granted, last_used_at from ticket_granting_ticket
      where id = ($2::bytea[])[n] and session_id is null and expires_at > now() and ${isUsable(slot)}
      offset 0) s on true
    offset 0) as found
), granted as (
  insert into ${tableOf(slot)} (id, session_id, service, from_new_login, expires_at)
  select id, session_id, service, from_new_login, now() + ($7::float8[])[n] ${MILLISECONDS}
  from decided where verdict = 'granted'
)
select n, verdict, slot, principal from decided`;
}

/**
 * Grants a PT. $1 id, $2 PGT, $3 service, $4 lifetime, $5 idle time, $6 touch resolution in ms.
 * Returns the columns of {@link grantStatement}, for one request.
 */
export function grantProxyTicketStatement(slot: Slot): string {
  return `
with decided as (
  select p.id as proxy_id, s.id as session_id, s.principal, touch_session(s.id, $5::float8, $6::float8)
  from ${RING} r
  join ticket_granting_ticket p on p.id = $2 and ${isUsable(slot)}
  join ticket_granting_ticket s
    on s.id = (select session_id from ticket_granting_ticket where id = $2) and s.expires_at > now()
), granted as (
  insert into ${tableOf(slot)}
    (id, session_id, proxy_granting_ticket_id, service, from_new_login, expires_at)
  select $1, session_id, proxy_id, $3, false, now() + $4::float8 ${MILLISECONDS} from decided
)
select 1 as n,
  case when not ${isUsable(slot)} then 'stale'
    when not exists (select from decided) then 'granting-ticket-not-found'
    else 'granted' end as verdict,
  r.slot::int, (select principal from decided)
from service_ticket_ring r`;
}

/**
 * Consumes STs and PTs. $1 ids, $2 idle time and $3 touch resolution in ms. Returns a row for each ticket that existed, had
 * not expired, and has a live session; deletes the ticket in any case. Skips a row that another statement is consuming:
 * that one alone may succeed, and no statement waits.
 */
export function consumeStatement(slot: Slot): string {
  return `
with ${consumed(slot)}
${live()}`;
}

/** An application with the same URL in several windows has several tickets; a program may use any number. */
const RECORDED_TICKETS = 8;
const RECORDED_COLUMNS = `c.session_id, sha256(convert_to(c.service, 'UTF8')) as service_hash, `;

/**
 * As {@link consumeStatement}, and records the services of tickets that succeed. $4 the texts of the tickets, empty where
 * the service is not to be recorded. It locks the sessions, so that none ends before its service is recorded. It does not
 * wait for the disk: a crash of PostgreSQL may lose the records of the last second. A trigger limits the services of a session.
 */
export function consumeAndRecordStatement(slot: Slot): string {
  return `
with ${consumed(slot)}, live as (${live('for key share', RECORDED_COLUMNS)}
), recorded as (
  insert into session_service as known (session_id, service_hash, service, tickets)
  select session_id, service_hash, service, array_agg(($4::text[])[n])
  from live
  where ($4::text[])[n] <> '' and set_config('synchronous_commit', 'off', true) is not null
  group by session_id, service_hash, service
  order by session_id, service_hash
  on conflict (session_id, service_hash) do update
    set tickets = (known.tickets || excluded.tickets)[greatest(1,
      cardinality(known.tickets) + cardinality(excluded.tickets) - ${RECORDED_TICKETS - 1}):]
)
select n, granted_by, service, from_new_login, principal, attributes, handler, credential_type, authenticated_at, proxies
from live`;
}

/**
 * Records an application of another protocol than CAS: $1 the session, $2 protocol, $3 application, $4 session index, $5 idle
 * time and $6 touch resolution in ms. Without a protocol it counts the use of the session alone. It locks and writes as {@link consumeAndRecordStatement} does. No text has a zero byte,
 * so no URL of CAS has the same hash. Returns a row where the session is live.
 */
export const RECORD_APPLICATION = `
with live as (
  select id, last_used_at from ticket_granting_ticket
  where id = $1 and session_id is null and expires_at > now() for key share
), recorded as (
  insert into session_service as known (session_id, service_hash, service, tickets, protocol)
  select id, sha256(convert_to($2, 'UTF8') || '\\x00' || convert_to($3, 'UTF8')), $3, array[$4], $2
  from live where $2 is not null and set_config('synchronous_commit', 'off', true) is not null
  on conflict (session_id, service_hash) do update
    set tickets = (known.tickets || excluded.tickets)[greatest(1, cardinality(known.tickets) - ${RECORDED_TICKETS - 2}):]
    where known.tickets @> excluded.tickets is not true
)
select case when last_used_at <= now() - $6::float8 ${MILLISECONDS}
  then touch_session(id, $5::float8, $6::float8) end
from live`;

function consumed(slot: Slot): string {
  const table = tableOf(slot);
  return `consumed as (
  delete from ${table}
  where ctid = any (array(
    select ctid from ${table} where id = any ($1::bytea[]) for update skip locked))
  returning id, session_id, proxy_granting_ticket_id as proxy_id, service, from_new_login, expires_at,
    case when proxy_granting_ticket_id is not null then ${PROXIES} end as proxies
)`;
}

/** The callback URLs of a PGT and its parents, newest first; null where the PGT is gone. The session at the end has none. */
const PROXIES = `(
    with recursive chain as (
      select 1 as place, parent_id, coalesce(callback_url, proxies[1]) as url
      from ticket_granting_ticket where id = proxy_granting_ticket_id
      union all
      select place + 1, p.parent_id, p.url from chain c cross join lateral (
        select parent_id, coalesce(callback_url, proxies[1]) as url from ticket_granting_ticket
        where id = c.parent_id offset 0) p
    )
    select json_agg(url order by place) filter (where url is not null) from chain)`;

/** The consumed tickets that are accepted. */
function live(lock = '', columns = ''): string {
  return `
select array_position($1::bytea[], c.id) as n,
  encode(coalesce(c.proxy_id, c.session_id), 'hex') as granted_by, c.service, c.from_new_login,
  s.principal, s.attributes, s.handler, s.credential_type,
  extract(epoch from s.authenticated_at) * 1000 as authenticated_at,
  c.proxies,
  ${columns}case when s.last_used_at <= now() - $3::float8 ${MILLISECONDS}
    then touch_session(s.id, $2::float8, $3::float8) end
from consumed c
join lateral (
  select id, principal, attributes, handler, credential_type, authenticated_at, last_used_at
  from ticket_granting_ticket where id = c.session_id and expires_at > now() offset 0 ${lock}) s on true
where c.expires_at > now()
  and (c.proxy_id is null or c.proxies is not null)`;
}

/**
 * Removes at most $1 expired sessions with their descendants. It repeats the predicate of the index on expiry, because
 * PostgreSQL uses the index only then: otherwise it would read every live session.
 */
export const REMOVE_EXPIRED = `
delete from ticket_granting_ticket where id = any (array(
  select id from ticket_granting_ticket
  where expires_at <= now() and expires_at < 'infinity'
  order by expires_at limit $1 for update skip locked))`;
