// A login gives its reservation back to the window that it was made in, and to no later one.
import type { MigrationInterface, QueryRunner } from 'typeorm';

export class WindowsOfFailures implements MigrationInterface {
  readonly name = 'WindowsOfFailures0000000000023';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      alter table authentication_failure add column opened_at timestamptz not null default now();
      comment on column authentication_failure.opened_at is
        'When the window began. Tells a window from the one before.';
    `);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('alter table authentication_failure drop column opened_at');
  }
}
