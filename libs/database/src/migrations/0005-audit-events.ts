// The table of audit events: the actions of administrators. The index on occurred_at serves reading and removing by time.
import type { MigrationInterface, QueryRunner } from 'typeorm';

export class AuditEvents implements MigrationInterface {
  readonly name = 'AuditEvents0000000000005';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      create table audit_event (
        id bigint generated always as identity primary key,
        occurred_at timestamptz(3) not null default now(),
        action text not null,
        subject text not null,
        principal text not null,
        session text not null,
        client_address text not null,
        application text not null,
        node text not null,
        details jsonb not null default '{}',
        constraint audit_event_session_is_masked check (length(session) <= 16)
      );
      create index audit_event_occurred_at on audit_event (occurred_at);
      comment on table audit_event is
        'What administrators have done, written with what they did; subject is the id of what was changed. Rows are added and removed, never changed.';
    `);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('drop table audit_event');
  }
}
