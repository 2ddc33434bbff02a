// The table of registered services, the counter of its changes, and the trigger that notifies all nodes.
import type { MigrationInterface, QueryRunner } from 'typeorm';

export class RegisteredServices implements MigrationInterface {
  readonly name = 'RegisteredServices0000000000002';

  async up(queryRunner: QueryRunner): Promise<void> {
    // Two services may share name and pattern: the evaluation order, in the end the id, decides between them. An import id
    // belongs to one row.
    await queryRunner.query(`
      create table registered_service (
        id bigint generated always as identity primary key,
        import_id bigint,
        service_id text not null,
        name text not null,
        description text not null default '',
        evaluation_order integer not null default 2147483647,
        enabled boolean not null default true,
        sso_enabled boolean not null default true,
        required_attributes jsonb not null default '{}',
        attribute_release jsonb not null default '{"kind": "none"}',
        username_attribute jsonb not null default '{"kind": "principal"}',
        proxy_policy jsonb not null default '{"kind": "refuse"}',
        logout_type text not null default 'none',
        logout_url text,
        properties jsonb not null default '{}',
        pseudonym_salt text not null
          default replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', ''),
        created_at timestamptz(3) not null default now(),
        updated_at timestamptz(3) not null default now(),
        constraint registered_service_import_id unique (import_id),
        constraint registered_service_pseudonym_salt_is_long check (length(pseudonym_salt) >= 32)
      );
      comment on table registered_service is
        'The services that may use single sign-on. Every change, by hand too, reaches all nodes.';
    `);
    await queryRunner.query(`
      create table registered_service_version (
        only_row boolean primary key default true check (only_row),
        version bigint not null
      );
      insert into registered_service_version (version) values (0);
      comment on table registered_service_version is
        'Counts the changes of registered_service, for nodes that missed a notification.';
    `);
    await queryRunner.query(`
      create function registered_service_changed() returns trigger language plpgsql as $$
      begin
        update registered_service_version set version = version + 1;
        notify registered_service;
        return null;
      end $$;
      create trigger registered_service_changed
        after insert or update or delete or truncate on registered_service
        for each statement execute function registered_service_changed();
    `);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      drop table registered_service, registered_service_version;
      drop function registered_service_changed();
    `);
  }
}
