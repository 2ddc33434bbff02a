// Each migration records the oldest program that works on the schema after it. Programs read it as SQL, without the migration.
import type { QueryRunner } from 'typeorm';
import type { Migration } from './migration.js';

export class CompatiblePrograms implements Migration {
  readonly name = 'CompatiblePrograms0000000000024';
  readonly compatibleFrom = 24;

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      alter table schema_migration add column compatible_from integer, add column version text;
      comment on column schema_migration.compatible_from is
        'The oldest program that works on the schema after this migration: the number of the newest migration that it has. Null before 0024: this migration.';
      comment on column schema_migration.version is 'Version of the program that ran this migration.';
    `);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      'alter table schema_migration drop column compatible_from, drop column version',
    );
  }
}
