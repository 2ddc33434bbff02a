// Ends the sessions of a user whose account is disabled, removed, expires or gets another password, by any program.
import type { MigrationInterface, QueryRunner } from 'typeorm';

export class AccountSessions implements MigrationInterface {
  readonly name = 'AccountSessions0000000000015';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      create function end_account_sessions() returns trigger language plpgsql as $$
      begin
        delete from ticket_granting_ticket
          where principal = coalesce(old.name, new.name) and session_id is null;
        return null;
      end $$;
      comment on function end_account_sessions is
        'Ends the sessions of the user of an account, also those that another handler accepted.';
      create trigger user_account_added after insert on user_account for each row
        when (new.disabled or new.expires_at <= now())
        execute function end_account_sessions();
      create trigger user_account_changed after update on user_account for each row
        when (new.name <> old.name
          or new.disabled and not old.disabled
          or new.expires_at <= now() and new.expires_at is distinct from old.expires_at
          or new.password_changed_at <> old.password_changed_at)
        execute function end_account_sessions();
      create trigger user_account_removed after delete on user_account for each row
        execute function end_account_sessions();
      create function limit_account_sessions() returns trigger language plpgsql as $$
      begin
        update ticket_granting_ticket set expires_at = least(expires_at, new.expires_at),
            hard_expires_at = least(hard_expires_at, new.expires_at)
          where principal = new.name and session_id is null;
        return null;
      end $$;
      create trigger user_account_expiry_added after insert on user_account for each row
        when (new.expires_at > now()) execute function limit_account_sessions();
      create trigger user_account_expiry_changed after update on user_account for each row
        when (new.expires_at > now() and new.expires_at is distinct from old.expires_at)
        execute function limit_account_sessions();
      alter table ticket_granting_ticket add password_changed_at timestamptz;
      comment on column ticket_granting_ticket.password_changed_at is
        'For a login with the password of an account: when that password was set, to the millisecond.';
      create function limit_session_to_account() returns trigger language plpgsql as $$
      declare
        found_name text;
        is_disabled boolean;
        expiry timestamptz;
        changed timestamptz;
      begin
        -- Waits for a change of the account, which ends the sessions that it sees.
        select name, disabled, expires_at, password_changed_at
          into found_name, is_disabled, expiry, changed
          from user_account where name = new.principal for share;
        if new.password_changed_at is not null and (found_name is null or is_disabled
            or changed >= new.password_changed_at + interval '1 millisecond') then
          expiry := now();
        end if;
        new.expires_at := least(new.expires_at, expiry);
        new.hard_expires_at := least(new.hard_expires_at, expiry);
        return new;
      end $$;
      create trigger ticket_granting_ticket_account before insert on ticket_granting_ticket for each row
        when (new.session_id is null) execute function limit_session_to_account()`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      drop trigger ticket_granting_ticket_account on ticket_granting_ticket;
      drop trigger user_account_added on user_account;
      drop trigger user_account_changed on user_account;
      drop trigger user_account_removed on user_account;
      drop trigger user_account_expiry_added on user_account;
      drop trigger user_account_expiry_changed on user_account;
      drop function end_account_sessions, limit_account_sessions, limit_session_to_account;
      alter table ticket_granting_ticket drop password_changed_at`);
  }
}
