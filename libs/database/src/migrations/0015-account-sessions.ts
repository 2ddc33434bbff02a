// Sessions end when the account of their user is disabled, removed or gets another password, whoever changes it.
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
        execute function end_account_sessions()`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      drop trigger user_account_added on user_account;
      drop trigger user_account_changed on user_account;
      drop trigger user_account_removed on user_account;
      drop function end_account_sessions()`);
  }
}
