// Tells the services of operators from those that users registered over REST.
import type { MigrationInterface, QueryRunner } from 'typeorm';

export class ServicesRegisteredOverRest implements MigrationInterface {
  readonly name = 'ServicesRegisteredOverRest0000000000017';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      alter table registered_service add registered_over_rest boolean not null default false;
      comment on column registered_service.registered_over_rest is
        'Whether a user registered it over REST, and no operator has changed it since.';
    `);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('alter table registered_service drop registered_over_rest');
  }
}
