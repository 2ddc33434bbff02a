// A login reserves a failure before its credentials are checked. Nodes of an earlier version reserve none.
import type { MigrationInterface, QueryRunner } from 'typeorm';

export class ReservedFailures implements MigrationInterface {
  readonly name = 'ReservedFailures0000000000021';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      alter table authentication_failure add column reserved integer not null default 0;
      comment on column authentication_failure.reserved is
        'Logins whose credentials are being checked. Each may become a failure.';
    `);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('alter table authentication_failure drop column reserved');
  }
}
