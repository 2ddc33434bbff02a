// All audit events are rows of one table, found by index. What batches held before becomes rows.
import type { MigrationInterface, QueryRunner } from 'typeorm';

export class AuditInOneTable implements MigrationInterface {
  readonly name = 'AuditInOneTable0000000000022';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      select ensure_audit_partition(month)
      from (select distinct date_trunc('month', second, 'UTC') as month from audit_batch) months;
      insert into audit_event (id, occurred_at, action, outcome, reason, principal, subject, service, session, client_address,
        request_id, application, node, details)
      select event.id, occurred_at, action, outcome, reason, principal, subject, service, session, client_address, request_id,
        application, node, details
      from audit_batch batch, audit_batch_events(batch) event;
      drop view audit_trail;
      drop function audit_batch_events;
      drop table audit_batch;

      drop index audit_event_occurred_at;
      alter table audit_event add primary key (occurred_at, id);
      create index audit_event_principal on audit_event (principal, occurred_at, id) where principal is not null;
      create index audit_event_subject on audit_event (subject, occurred_at, id) where subject is not null;
      comment on column audit_event.id is
        'Tells events of the same time apart. Writers of batches give ids of their own, so that a batch that is written again is stored once.';
    `);
    await queryRunner.query(`
      create or replace function ensure_audit_partition(moment timestamptz) returns void language plpgsql
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

      create or replace function drop_audit_partition(retention interval) returns boolean language plpgsql
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
    `);
  }

  async down(): Promise<void> {
    await Promise.reject(new Error('batches of audit events cannot be made of rows'));
  }
}
