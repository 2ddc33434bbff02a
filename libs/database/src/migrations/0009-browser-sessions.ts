// Sessions that outlive the idle time (remember-me), and the index by which the sessions of a user are found. Its
// predicate keeps it out of the plans of look-ups by id, which would otherwise read every session.
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The functions of 0001, with the end of the idle time as an expression. */
const functions = (idleEnd: string): string => `
      create or replace function mark_service_ticket_granted(session bytea, idle float8, resolution float8)
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
            expires_at = least(hard_expires_at, ${idleEnd})
          where id = session
            and (is_first or last_used_at <= now() - resolution * interval '1 millisecond');
        return is_first;
      end $$;
      create or replace function touch_session(session bytea, idle float8, resolution float8)
      returns void language plpgsql as $$
      begin
        perform from ticket_granting_ticket
          where id = session and last_used_at <= now() - resolution * interval '1 millisecond'
          for no key update skip locked;
        if found then
          update ticket_granting_ticket set last_used_at = now(),
              expires_at = least(hard_expires_at, ${idleEnd})
            where id = session;
        end if;
      end $$;`;

const IDLE_END = "now() + idle * interval '1 millisecond'";

export class BrowserSessions implements MigrationInterface {
  readonly name = 'BrowserSessions0000000000009';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      alter table ticket_granting_ticket add column remembered boolean not null default false;
      comment on column ticket_granting_ticket.remembered is
        'Whether the session ends only at its hard limit, however long it is unused (remember-me).';
      create index ticket_granting_ticket_principal on ticket_granting_ticket (principal)
        where principal is not null;
      ${functions(`case when remembered then hard_expires_at else ${IDLE_END} end`)}
    `);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ${functions(IDLE_END)}
      drop index ticket_granting_ticket_principal;
      alter table ticket_granting_ticket drop column remembered;
    `);
  }
}
