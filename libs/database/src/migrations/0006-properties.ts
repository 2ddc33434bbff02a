// The table of properties that the config server serves. Its name and columns are those of Spring Cloud Config's JDBC
// backend, because other programs may write it.
import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Properties implements MigrationInterface {
  readonly name = 'Properties0000000000006';

  async up(queryRunner: QueryRunner): Promise<void> {
    // Keys sort by code point, whatever the locale of the server.
    await queryRunner.query(`
      create table properties (
        application text collate "C" not null,
        profile text collate "C" not null default '',
        label text collate "C" not null default 'main',
        key text collate "C" not null,
        value text not null,
        primary key (application, profile, label, key),
        constraint properties_application_is_not_empty check (application <> ''),
        constraint properties_label_is_not_empty check (label <> ''),
        constraint properties_key_is_not_empty check (key <> '')
      );
      comment on table properties is
        'What the config server serves from its backend postgres. Application "application" is for all of them, profile "" for every profile.';
    `);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('drop table properties');
  }
}
