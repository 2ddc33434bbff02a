// Sessions last no longer than the account of their user.
import type { MigrationInterface, QueryRunner } from 'typeorm';

export class AccountExpiry implements MigrationInterface {
  readonly name = 'AccountExpiry0000000000018';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      create function limit_session_to_account() returns trigger language plpgsql as $$
      declare
        expiry timestamptz;
      begin
        select expires_at into expiry from user_account where name = new.principal;
        new.expires_at := least(new.expires_at, expiry);
        new.hard_expires_at := least(new.hard_expires_at, expiry);
        return new;
      end $$;
      create trigger ticket_granting_ticket_account before insert on ticket_granting_ticket for each row
        when (new.session_id is null) execute function limit_session_to_account();
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
        execute function limit_account_sessions()`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      drop trigger ticket_granting_ticket_account on ticket_granting_ticket;
      drop trigger user_account_expiry_added on user_account;
      drop trigger user_account_expiry_changed on user_account;
      drop function limit_session_to_account, limit_account_sessions`);
  }
}
