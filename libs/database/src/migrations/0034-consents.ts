// What users have allowed clients of OpenID Connect.
import type { QueryRunner } from 'typeorm';
import type { Migration } from './migration.js';

export class Consents implements Migration {
  readonly name = 'Consents0000000000034';
  readonly compatibleFrom = 24;

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      create table oidc_consent (
        principal text not null,
        service_id bigint not null references registered_service on delete cascade,
        scopes text[] not null,
        created_at timestamptz not null default now(),
        changed_at timestamptz not null default now(),
        primary key (principal, service_id)
      );
      create index oidc_consent_service on oidc_consent (service_id);
      comment on table oidc_consent is
        'The scopes that a user has allowed to a client of OpenID Connect.';
    `);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('drop table oidc_consent');
  }
}
