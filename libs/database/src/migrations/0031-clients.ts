// Registered services that are clients of OpenID Connect, and the secrets of clients. `service_id` stays not null: programs
// before this migration could read no service at all beside a null. For a client that takes no part in CAS it is empty, which
// those programs take for an invalid service without a URL.
import type { QueryRunner } from 'typeorm';
import type { Migration } from './migration.js';

export class Clients implements Migration {
  readonly name = 'Clients0000000000031';
  readonly compatibleFrom = 24;
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      alter table registered_service
        add if not exists client_id text,
        add if not exists client jsonb,
        drop constraint if exists registered_service_has_a_part;
      alter table registered_service
        add constraint registered_service_has_a_part
          check (service_id <> '' or client_id is not null) not valid;
      comment on column registered_service.service_id is
        'A pattern of URLs; empty for a client that takes no part in CAS.';
      comment on column registered_service.client_id is
        'The id of a client of OpenID Connect.';
      comment on column registered_service.client is
        'The fields that only such a client has.';
      create table if not exists client_secret (
        id bigint generated always as identity primary key,
        service_id bigint not null references registered_service on delete cascade,
        hash text not null,
        created_at timestamptz(3) not null default now(),
        expires_at timestamptz(3)
      );
      create index if not exists client_secret_service on client_secret (service_id);
      comment on table client_secret is
        'Hashes of the secrets of clients. Several are valid while one takes the place of another.';
    `);
    await queryRunner.query('drop index concurrently if exists registered_service_client_id');
    await queryRunner.query(
      'create unique index concurrently registered_service_client_id on registered_service (client_id)',
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      drop table client_secret;
      alter table registered_service
        drop constraint registered_service_has_a_part, drop client_id, drop client;
      comment on column registered_service.service_id is null;
    `);
  }
}
