// Audit events of everything that users, applications and operators do, in one partition for each month.
import type { MigrationInterface, QueryRunner } from 'typeorm';

export class AuditTrail implements MigrationInterface {
  readonly name = 'AuditTrail0000000000012';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      alter table audit_event rename to earlier_audit_event;
      alter index audit_event_occurred_at rename to earlier_audit_event_occurred_at;
      create sequence audit_event_id cache 1000;
      create table audit_event (
        id bigint not null default nextval('audit_event_id'),
        occurred_at timestamptz(3) not null default now(),
        action text not null,
        outcome text not null default 'success',
        reason text,
        principal text,
        subject text,
        service text,
        session text,
        client_address text,
        request_id text,
        application text not null,
        node text not null,
        details jsonb,
        constraint audit_event_session_is_masked check (length(session) <= 16)
      ) partition by range (occurred_at);
      create index audit_event_occurred_at on audit_event (occurred_at, id);
      comment on table audit_event is
        'What users, applications and operators did, with the outcome. Rows are added, never changed; partitions are removed. There is one partition for each month, in UTC.';
      comment on column audit_event.id is
        'Tells events of the same time apart. Sessions of PostgreSQL take numbers in blocks, so it does not give their order.';
      comment on column audit_event.outcome is
        'success, failure or unknown. The default, as that of occurred_at, is for nodes of an earlier version.';
      comment on column audit_event.subject is 'The id or name of what was changed.';
    `);
    // Several processes may create and drop partitions at once.
    await queryRunner.query(`
      create function ensure_audit_partition(moment timestamptz) returns void language plpgsql
        set lock_timeout = '2s' as $$
      declare
        month timestamp := date_trunc('month', moment at time zone 'UTC');
        partition text := 'audit_event_' || to_char(month, 'YYYY_MM');
      begin
        if to_regclass(partition) is null then
          perform pg_advisory_xact_lock(hashtext('audit partitions'));
          execute format('create table if not exists %I partition of audit_event for values from (%L) to (%L)',
            partition, month at time zone 'UTC', (month + interval '1 month') at time zone 'UTC');
        end if;
      end $$;
      comment on function ensure_audit_partition is 'Creates the partition of a month if it does not exist yet.';

      create function drop_audit_partition(retention interval) returns boolean language plpgsql
        set lock_timeout = '2s' as $$
      declare
        partition text;
      begin
        perform pg_advisory_xact_lock(hashtext('audit partitions'));
        select c.relname into partition
        from pg_inherits i join pg_class c on c.oid = i.inhrelid
        where i.inhparent = 'audit_event'::regclass and c.relname ~ '^audit_event_\\d{4}_\\d\\d$'
        order by c.relname limit 1;
        if (to_date(right(partition, 7), 'YYYY_MM') + interval '1 month') at time zone 'UTC' > now() - retention
          or partition is null
        then
          return false;
        end if;
        execute format('drop table %I', partition);
        return true;
      end $$;
      comment on function drop_audit_partition is
        'Drops the oldest partition if all its events are older than the retention. Returns whether it did.';
    `);
    await queryRunner.query(`
      select ensure_audit_partition(month)
      from (select distinct date_trunc('month', occurred_at) as month from earlier_audit_event
            union select now() union select now() + interval '1 month') as months;
      insert into audit_event (occurred_at, action, outcome, principal, subject, session, client_address, application, node, details)
      select occurred_at, action, 'success', principal, subject, session, client_address, application, node, details
      from earlier_audit_event order by id;
      drop table earlier_audit_event;
    `);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      drop table audit_event;
      drop function ensure_audit_partition;
      drop function drop_audit_partition;
      drop sequence audit_event_id;
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
    `);
  }
}
