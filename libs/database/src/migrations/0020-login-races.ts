// A login with a password begins no session where its account has changed since the password was checked.
import type { MigrationInterface, QueryRunner } from 'typeorm';

export class LoginRaces implements MigrationInterface {
  readonly name = 'LoginRaces0000000000020';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      alter table ticket_granting_ticket add password_changed_at timestamptz;
      comment on column ticket_granting_ticket.password_changed_at is
        'For a login with the password of an account: when that password was set, to the millisecond.';
      create or replace function limit_session_to_account() returns trigger language plpgsql as $$
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
      end $$`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      create or replace function limit_session_to_account() returns trigger language plpgsql as $$
      declare
        expiry timestamptz;
      begin
        select expires_at into expiry from user_account where name = new.principal;
        new.expires_at := least(new.expires_at, expiry);
        new.hard_expires_at := least(new.hard_expires_at, expiry);
        return new;
      end $$;
      alter table ticket_granting_ticket drop password_changed_at`);
  }
}
