// The queue of logout messages on PostgreSQL: the table logout_message, which a trigger on sessions fills.
import type { Pool } from 'pg';
import {
  LOGOUT_MESSAGES_CHANNEL,
  type LogoutMessage,
  type LogoutMessageQuery,
  type LogoutQueue,
  type QueuedLogoutMessage,
  type TakenLogoutMessage,
  type TakingOptions,
} from '../logout-queue.js';

const MESSAGE = `id, principal, protocol, service as application, ticket as "sessionIndex", ended_at as "endedAt"`;
/** Of the table: the message that its deliveries have in common. */
const CONTENT = 'principal, protocol, service, ticket, ended_at';
/** One statement changes so many, because its time is limited. */
const RETRIED_AT_ONCE = 1_000;

/** Nodes that read the same messages do this at the same time: each message is replaced by one of them. */
const ADDRESS = `
  with taken as (
    delete from logout_message where id = any (array(
      select id from logout_message where id = any ($1::text[]) and host_group is null for update skip locked))
    returning id, ${CONTENT}
  ), added as (
    insert into logout_message (id, ${CONTENT}, url_index, host_group)
    select case url_index when 0 then id else id || '-' || url_index + 1 end,
      ${CONTENT}, url_index, host_group
    from unnest($2::text[], $3::integer[], $4::text[]) as target (message_id, url_index, host_group)
    join taken on id = message_id
  )
  select count(*)::integer as addressed, count(*) filter (where id <> all ($2))::integer as dropped from taken`;

/**
 * $1 limit, $2 groups to leave out, $3 messages of a group, $4 lease in ms. The messages are chosen before they are locked:
 * nodes that choose at the same time choose the same ones, and what one has locked is not replaced by more of the group.
 */
const TAKE = `
  with chosen as (
    select id
    from (
      select distinct host_group from logout_message
      where next_attempt_at <= now() and host_group <> all ($2::text[])) as due_group
    cross join lateral (
      select id, attempts > 0 as is_repeated, next_attempt_at from logout_message
      where host_group = due_group.host_group and next_attempt_at <= now()
      order by attempts > 0, next_attempt_at
      limit greatest(0, $3::integer - (
        select count(*) from logout_message as sent
        where sent.host_group = due_group.host_group and sent.taken and sent.next_attempt_at > now()))) as due
    order by is_repeated, next_attempt_at limit $1
  )
  update logout_message set taken = true, next_attempt_at = now() + $4::float8 * interval '1 millisecond'
  where id = any (array(
    select id from logout_message where id = any (array(select id from chosen)) and next_attempt_at <= now()
    for update skip locked))
  returning ${MESSAGE}, url_index as "urlIndex", host_group as "group", attempts as failures`;

const FAIL = `
  update logout_message set taken = false, attempts = attempts + 1, last_error = $2,
    next_attempt_at = now() + $3::float8 * interval '1 millisecond', failed_at = case when $3 is null then now() end
  where id = $1`;

const LIST = `
  select ${MESSAGE}, attempts, next_attempt_at as "nextAttemptAt", failed_at as "failedAt", last_error as reason
  from logout_message
  where case $1 when 'failed' then failed_at is not null
      else failed_at is null and not (taken and next_attempt_at > now()) end
    and ($2::timestamptz is null or (ended_at, id) > ($2, $3))
  order by ended_at, id limit $4`;

const RETRY = `
  with retried as (
    update logout_message
    set failed_at = null, next_attempt_at = now(), attempts = 0, last_error = null
    where id = any (array(
      select id from logout_message where failed_at is not null and ($1::text[] is null or id = any ($1))
      limit ${RETRIED_AT_ONCE} for update skip locked))
    returning id
  )
  select count(*)::integer as retried, pg_notify('${LOGOUT_MESSAGES_CHANNEL}', '') from retried`;

const REMOVE_OLD = `
  delete from logout_message where id = any (array(
    select id from logout_message where ended_at < now() - interval '30 days' limit $1 for update skip locked))`;

export class PostgresLogoutQueue implements LogoutQueue {
  constructor(private readonly pool: Pool) {}

  async address(
    limit: number,
    groupsOf: (message: LogoutMessage) => readonly string[],
  ): Promise<{ readonly addressed: number; readonly dropped: number }> {
    const messages = await this.query<LogoutMessage>(
      `select ${MESSAGE} from logout_message where host_group is null and failed_at is null
       order by ended_at limit $1`,
      [limit],
    );
    if (messages.length === 0) return { addressed: 0, dropped: 0 };
    const targets = messages.flatMap((message) =>
      groupsOf(message).map((group, urlIndex) => ({ id: message.id, urlIndex, group })),
    );
    const [result] = await this.query<{ addressed: number; dropped: number }>(ADDRESS, [
      messages.map(({ id }) => id),
      targets.map(({ id }) => id),
      targets.map(({ urlIndex }) => urlIndex),
      targets.map(({ group }) => group),
    ]);
    return result ?? { addressed: 0, dropped: 0 };
  }

  take({ limit, perGroup, except, lease }: TakingOptions): Promise<readonly TakenLogoutMessage[]> {
    return this.query(TAKE, [limit, except, perGroup, lease]);
  }

  async complete({ id }: Pick<LogoutMessage, 'id'>): Promise<void> {
    await this.query('delete from logout_message where id = $1', [id]);
  }

  async fail({ id }: TakenLogoutMessage, reason: string, retryAfter?: number): Promise<void> {
    await this.query(FAIL, [id, reason, retryAfter]);
  }

  async counts(): Promise<{ readonly pending: number; readonly failed: number }> {
    const [counts] = await this.query<{ pending: number; failed: number }>(
      `select count(next_attempt_at)::integer as pending, count(failed_at)::integer as failed
       from logout_message`,
    );
    return counts ?? { pending: 0, failed: 0 };
  }

  list({ state, limit, after }: LogoutMessageQuery): Promise<readonly QueuedLogoutMessage[]> {
    return this.query(LIST, [state, after?.endedAt, after?.id, limit]);
  }

  async retry(ids?: readonly string[]): Promise<number> {
    for (let total = 0; ;) {
      const [row] = await this.query<{ retried: number }>(RETRY, [ids]);
      const retried = row?.retried ?? 0;
      total += retried;
      if (retried < RETRIED_AT_ONCE) return total;
    }
  }

  /** Removes at most `limit` messages that are older than operators need them. */
  async removeOld(limit: number): Promise<void> {
    await this.query(REMOVE_OLD, [limit]);
  }

  private async query<Row extends object>(
    text: string,
    values: readonly unknown[] = [],
  ): Promise<readonly Row[]> {
    return (await this.pool.query<Row>(text, [...values])).rows;
  }
}
