// The end of a session is announced by its node, after the commit. NOTIFY in a transaction holds one lock of the whole server
// until the commit is done, so logouts waited for each other, and for a standby in turn.
import type { QueryRunner } from 'typeorm';
import type { Migration } from './migration.js';

export class LogoutAnnouncements implements Migration {
  readonly name = 'LogoutAnnouncements0000000000025';
  readonly compatibleFrom = 24;

  async up(queryRunner: QueryRunner): Promise<void> {
    // Accounts are changed by any program, and rarely.
    await queryRunner.query(triggers({ ofSession: '', ofAccount: ANNOUNCE }));
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(triggers({ ofSession: ANNOUNCE, ofAccount: '' }));
  }
}

const ANNOUNCE = `perform pg_notify('logout_messages', '');`;

/** The functions of the triggers on sessions that end, and on accounts that end sessions. */
function triggers(announcement: {
  readonly ofSession: string;
  readonly ofAccount: string;
}): string {
  return `
    create or replace function end_session_services() returns trigger language plpgsql as $$
    begin
      if exists (select from session_service where session_id = old.id) then
        with ended as (
          delete from session_service where session_id = old.id returning *
        )
        insert into logout_message (id, principal, service, ticket)
        select 'LR-' || replace(gen_random_uuid()::text, '-', ''), old.principal, service, ticket
        from ended cross join unnest(tickets) as ticket;${announcement.ofSession}
      end if;
      return old;
    end $$;
    create or replace function end_account_sessions() returns trigger language plpgsql as $$
    begin
      delete from ticket_granting_ticket
        where principal = coalesce(old.name, new.name) and session_id is null;
      ${announcement.ofAccount}
      return null;
    end $$;`;
}
