// Former passwords of accounts, so that users who change their own do not take one of them again.
import type { QueryRunner } from 'typeorm';
import type { Migration } from './migration.js';

export class PasswordHistory implements Migration {
  readonly name = 'PasswordHistory0000000000027';
  readonly compatibleFrom = 24;

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      create table password_history (
        account text not null references user_account on update cascade on delete cascade,
        password_hash text not null,
        replaced_at timestamptz not null default clock_timestamp()
      );
      create index password_history_account on password_history (account, replaced_at);
      comment on table password_history is
        'Hashes of passwords that users have replaced, as many as a setting asks for.';
    `);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('drop table password_history');
  }
}
