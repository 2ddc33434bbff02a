// Logout messages are in a table of our own. Before, the trigger on sessions wrote into the tables of the library pg-boss.
import type { MigrationInterface, QueryRunner } from 'typeorm';

export class LogoutMessages implements MigrationInterface {
  readonly name = 'LogoutMessages0000000000020';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      create table logout_message (
        id text primary key,
        principal text not null,
        service text not null,
        ticket text not null,
        ended_at timestamptz(3) not null default now(),
        url_index integer,
        host_group text,
        attempts integer not null default 0,
        next_attempt_at timestamptz default now(),
        taken boolean not null default false,
        failed_at timestamptz(3),
        last_error text,
        constraint logout_message_waits_or_has_failed check ((next_attempt_at is null) = (failed_at is not null))
      );
      create index logout_message_new on logout_message (ended_at) where host_group is null and failed_at is null;
      create index logout_message_due on logout_message (host_group, (attempts > 0), next_attempt_at)
        where next_attempt_at is not null;
      create index logout_message_taken on logout_message (host_group) where taken;
      create index logout_message_ended_at on logout_message (ended_at, id);
      comment on table logout_message is
        'Messages to the services of sessions that have ended. A row is deleted when its message is sent. Failed ones stay for 30 days.';
      comment on column logout_message.url_index is
        'The position of its URL among the logout URLs of the service. Null until a node has replaced the message by one for each URL.';
      comment on column logout_message.host_group is
        'The registration and the host of the URL, which share a limit of calls; null with url_index.';
      comment on column logout_message.next_attempt_at is
        'While it is taken: when another node may take it, because the node that sends it has crashed.';

      create or replace function end_session_services() returns trigger language plpgsql as $$
      begin
        if exists (select from session_service where session_id = old.id) then
          with ended as (
            delete from session_service where session_id = old.id returning *
          )
          insert into logout_message (id, principal, service, ticket)
          select 'LR-' || replace(gen_random_uuid()::text, '-', ''), old.principal, service, ticket
          from ended cross join unnest(tickets) as ticket;
          perform pg_notify('logout_messages', '');
        end if;
        return old;
      end $$;
    `);
    await queryRunner.query(MOVE_MESSAGES);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('The library that makes the schema pgboss is gone.'));
  }
}

/** Deliveries come first: a crash may have left the message that they replace, under the id of the first of them. */
const MOVE_MESSAGES = `
  do $$
  begin
    if to_regclass('pgboss.job') is null then
      return;
    end if;
    lock table pgboss.job in access exclusive mode;
    insert into logout_message (id, principal, service, ticket, ended_at, url_index, host_group, attempts,
      next_attempt_at, failed_at, last_error)
    select data ->> 'id', data ->> 'principal', data ->> 'service', data ->> 'ticket',
      (data ->> 'endedAt')::timestamptz, (data ->> 'urlIndex')::integer, group_id,
      case when failed then source_retry_count + 1 else retry_count + (state = 'retry')::integer end,
      case when not failed then start_after end,
      case when failed then created_on end,
      case when failed then source_output ->> 'reason' else output ->> 'reason' end
    from pgboss.job cross join lateral (select name = 'logout-messages-failed' as failed) kind
    where name in ('logout-messages', 'logout-deliveries', 'logout-messages-failed')
      and state in ('created', 'retry', 'active')
    order by name
    on conflict do nothing;
    if exists (select from pgboss.queue where name not like 'logout-%') then
      delete from pgboss.job where name like 'logout-%';
    else
      drop schema pgboss cascade;
    end if;
  end $$`;
