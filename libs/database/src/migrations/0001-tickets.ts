// The tables of tickets: durable granting tickets, and a ring of UNLOGGED tables for short-lived tickets.
// The index on expires_at serves the cleaner alone. Its predicate keeps it out of the plans of look-ups by id, which would
// otherwise read every live session while the table is small and its statistics are old.
import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Tickets implements MigrationInterface {
  readonly name = 'Tickets0000000000001';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      create table ticket_granting_ticket (
        id bytea primary key,
        parent_id bytea references ticket_granting_ticket (id) on delete cascade,
        session_id bytea references ticket_granting_ticket (id) on delete cascade,
        proxies text[],
        principal text,
        attributes json,
        handler text,
        credential_type text,
        authenticated_at timestamptz(3),
        service_ticket_granted boolean not null default false,
        created_at timestamptz not null default now(),
        last_used_at timestamptz not null default now(),
        expires_at timestamptz not null,
        hard_expires_at timestamptz not null,
        constraint ticket_granting_ticket_is_session_or_proxy check (
          case when session_id is null
            then parent_id is null and proxies is null and principal is not null
              and attributes is not null and handler is not null
              and credential_type is not null and authenticated_at is not null
            else parent_id is not null and proxies is not null and principal is null
          end)
      ) with (fillfactor = 80);
      create index ticket_granting_ticket_parent_id on ticket_granting_ticket (parent_id)
        where parent_id is not null;
      create index ticket_granting_ticket_session_id on ticket_granting_ticket (session_id)
        where session_id is not null;
      create index ticket_granting_ticket_expires_at on ticket_granting_ticket (expires_at)
        where expires_at < 'infinity';
      comment on table ticket_granting_ticket is
        'TGTs (sessions) and PGTs; id is the SHA-256 of the ticket. A PGT lives as long as its session.';
    `);
    for (const slot of [0, 1, 2, 3]) {
      await queryRunner.query(`
        create unlogged table service_ticket_${slot} (
          id bytea primary key,
          session_id bytea not null,
          proxy_granting_ticket_id bytea,
          service text not null,
          from_new_login boolean not null,
          expires_at timestamptz not null
        ) with (autovacuum_enabled = false, toast.autovacuum_enabled = false);
        comment on table service_ticket_${slot} is
          'STs and PTs of one period; emptied whole when the ring comes round, and by a crash.';
      `);
    }
    await queryRunner.query(`
      create function mark_service_ticket_granted(session bytea, idle float8, resolution float8)
      returns boolean language plpgsql as $$
      declare
        is_first boolean;
      begin
        select not service_ticket_granted into is_first from ticket_granting_ticket
          where id = session for no key update;
        if not found then
          return null;
        end if;
        update ticket_granting_ticket set service_ticket_granted = true, last_used_at = now(),
            expires_at = least(hard_expires_at, now() + idle * interval '1 millisecond')
          where id = session
            and (is_first or last_used_at <= now() - resolution * interval '1 millisecond');
        return is_first;
      end $$;
      comment on function mark_service_ticket_granted is
        'Counts the grant of a service ticket as a use of its session; true for exactly one caller, the first; null where the session has just been ended.';
      create function touch_session(session bytea, idle float8, resolution float8)
      returns void language plpgsql as $$
      begin
        perform from ticket_granting_ticket
          where id = session and last_used_at <= now() - resolution * interval '1 millisecond'
          for no key update skip locked;
        if found then
          update ticket_granting_ticket set last_used_at = now(),
              expires_at = least(hard_expires_at, now() + idle * interval '1 millisecond')
            where id = session;
        end if;
      end $$;
      comment on function touch_session is
        'Counts a use of the session, unless somebody else is counting one at this moment. Times in ms.';
    `);
    await queryRunner.query(`
      create table service_ticket_ring (
        only_row boolean primary key default true check (only_row),
        slot smallint not null check (slot between 0 and 3),
        rotated_at timestamptz not null
      );
      insert into service_ticket_ring (slot, rotated_at) values (0, now());
      comment on table service_ticket_ring is 'Which service_ticket table takes new tickets now.';
    `);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      drop function mark_service_ticket_granted, touch_session;
      drop table service_ticket_ring, service_ticket_0, service_ticket_1, service_ticket_2,
        service_ticket_3, ticket_granting_ticket;
    `);
  }
}
