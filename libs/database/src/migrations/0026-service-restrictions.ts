// More rules on the attributes of users and their release, and services and tickets that expire. `required_attributes` has two
// forms: a map lists exact values, as before; a list with one map lists patterns. Programs before this migration take the list
// for invalid, and refuse the service.
import type { QueryRunner } from 'typeorm';
import type { Migration } from './migration.js';

export class ServiceRestrictions implements Migration {
  readonly name = 'ServiceRestrictions0000000000026';
  readonly compatibleFrom = 24;

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      alter table registered_service
        add require_all_attributes boolean not null default true,
        add rejected_attributes jsonb not null default '{}',
        add expires_at timestamptz(3),
        add released_values jsonb not null default '{}',
        add protocol_attributes boolean not null default true,
        add service_ticket_lifetime integer,
        add proxy_ticket_lifetime integer,
        add default_attributes boolean not null default true;
      comment on column registered_service.required_attributes is
        'A map of exact values by attribute name, or a list with one map of patterns.';
      comment on column registered_service.require_all_attributes is
        'False: one of the required attributes is enough.';
      comment on column registered_service.rejected_attributes is
        'Patterns by attribute name: a user with a value that matches is refused.';
      comment on column registered_service.expires_at is
        'The time from which the service counts as disabled.';
      comment on column registered_service.released_values is
        'Patterns by attribute name, or *: other values are not released.';
      comment on column registered_service.protocol_attributes is
        'Whether attributes of the protocol, such as authenticationDate, are released.';
      comment on column registered_service.service_ticket_lifetime is
        'The most seconds that its service tickets live.';
      comment on column registered_service.proxy_ticket_lifetime is
        'The most seconds that proxy tickets for it live.';
      comment on column registered_service.default_attributes is
        'Whether it gets the attributes that a setting releases to every service.';
    `);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      alter table registered_service
        drop require_all_attributes, drop rejected_attributes, drop expires_at,
        drop released_values, drop protocol_attributes,
        drop service_ticket_lifetime, drop proxy_ticket_lifetime,
        drop default_attributes;
      comment on column registered_service.required_attributes is null;
    `);
  }
}
