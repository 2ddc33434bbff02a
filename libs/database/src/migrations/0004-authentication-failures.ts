// The table of failed logins, counted for throttling. The index on expires_at serves the cleaner alone: its predicate keeps
// it out of the plans of look-ups by key.
import type { MigrationInterface, QueryRunner } from 'typeorm';

export class AuthenticationFailures implements MigrationInterface {
  readonly name = 'AuthenticationFailures0000000000004';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      create unlogged table authentication_failure (
        key bytea primary key,
        failures integer not null,
        expires_at timestamptz not null
      );
      create index authentication_failure_expires_at on authentication_failure (expires_at)
        where expires_at < 'infinity';
      comment on table authentication_failure is
        'Failed logins of the present window; key is the SHA-256 of a client address, or of address and user name. Emptied by a crash.';
    `);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('drop table authentication_failure');
  }
}
