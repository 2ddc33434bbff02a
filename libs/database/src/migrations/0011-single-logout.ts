// What single logout needs: the services that a session signed in to, and the messages to them when it ends.
import type { MigrationInterface, QueryRunner } from 'typeorm';

export class SingleLogout implements MigrationInterface {
  readonly name = 'SingleLogout0000000000011';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      create table session_service (
        session_id bytea not null,
        service_hash bytea not null,
        service text not null,
        tickets text[] not null,
        primary key (session_id, service_hash)
      ) with (fillfactor = 70);
      comment on table session_service is
        'The services that a session signed in to, for single logout. A trigger deletes the rows with the session: a foreign key would cost each session a check.';
      comment on column session_service.tickets is
        'The last tickets, oldest first: consumed, and worth nothing any more.';
    `);
    // The library of the queue makes pgboss.job, before any row of session_service exists.
    await queryRunner.query(`
      create function end_session_services() returns trigger language plpgsql as $$
      begin
        if exists (select from session_service where session_id = old.id) then
          with ended as (
            delete from session_service where session_id = old.id returning *
          )
          insert into pgboss.job (name, data, dead_letter, retry_limit, retry_delay, retry_backoff,
            retry_delay_max, expire_seconds, deletion_seconds, policy, keep_until)
          select q.name,
            json_build_object('id', 'LR-' || replace(gen_random_uuid()::text, '-', ''),
              'principal', old.principal, 'service', e.service, 'ticket', ticket, 'endedAt', now()),
            q.dead_letter, q.retry_limit, q.retry_delay, q.retry_backoff,
            q.retry_delay_max, q.expire_seconds, q.deletion_seconds, q.policy,
            now() + q.retention_seconds * interval '1 second'
          from ended e
          cross join unnest(e.tickets) as ticket
          join pgboss.queue q on q.name = 'logout-messages';
          perform pg_notify('logout_messages', '');
        end if;
        return old;
      end $$;
      comment on function end_session_services is
        'Queues a logout message to each service of a session that ends, in the transaction that ends it.';
      create trigger ticket_granting_ticket_services before delete on ticket_granting_ticket
        for each row when (old.session_id is null) execute function end_session_services();
    `);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      drop trigger ticket_granting_ticket_services on ticket_granting_ticket;
      drop function end_session_services;
      drop table session_service;
    `);
  }
}
