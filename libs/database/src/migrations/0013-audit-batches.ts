// Audit events of a node in batches: a row for many events, in one partition for each month.
import type { MigrationInterface, QueryRunner } from 'typeorm';

export class AuditBatches implements MigrationInterface {
  readonly name = 'AuditBatches0000000000013';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      create table audit_batch (
        second timestamptz(0) not null,
        id bigint not null,
        application text not null,
        node text not null,
        events json not null,
        primary key (second, id)
      ) partition by range (second);
      alter table audit_batch alter column events set storage external;
      comment on table audit_batch is
        'Events that one process recorded within a second. The view audit_trail has them one by one. Rows are added, never changed; partitions are removed. There is one partition for each month, in UTC.';
      comment on column audit_batch.id is
        'The id of the first event; the next event has the next number. Above the ids of audit_event.';
      comment on column audit_batch.events is
        'An array with an array for each event. The function audit_batch_events names the fields.';

      create function audit_batch_events(batch audit_batch) returns table (
        id bigint, occurred_at timestamptz, action text, outcome text, reason text, principal text, subject text, service text,
        session text, client_address text, request_id text, details jsonb
      ) language sql stable parallel safe as $$
        select batch.id + n - 1, batch.second + (field->>0)::int * interval '1 millisecond', field->>1, field->>2, field->>3,
          field->>4, field->>5, field->>6, left(field->>7, 4) || '…' || substr(field->>7, 5), field->>8, field->>9, nullif(field->10, 'null')
        from jsonb_array_elements(batch.events::jsonb) with ordinality as event (field, n)
      $$;
      comment on function audit_batch_events is 'The events of a batch, in the order in which they were recorded.';

      create view audit_trail as
        select id, occurred_at, action, outcome, reason, principal, subject, service, session, client_address, request_id,
          application, node, details
        from audit_event
        union all
        select event.id, occurred_at, action, outcome, reason, principal, subject, service, session, client_address, request_id,
          application, node, details
        from audit_batch batch, audit_batch_events(batch) event;
      comment on view audit_trail is 'All audit events: those of audit_event, and those in the batches of audit_batch.';
    `);
    await queryRunner.query(`
      create or replace function ensure_audit_partition(moment timestamptz) returns void language plpgsql
        set lock_timeout = '2s' as $$
      declare
        month timestamp := date_trunc('month', moment at time zone 'UTC');
        parent text;
        partition text;
      begin
        foreach parent in array array['audit_event', 'audit_batch'] loop
          continue when to_regclass(parent) is null;
          partition := parent || to_char(month, '_YYYY_MM');
          if to_regclass(partition) is null then
            perform pg_advisory_xact_lock(hashtext('audit partitions'));
            execute format('create table if not exists %I partition of %I for values from (%L) to (%L)',
              partition, parent, month at time zone 'UTC', (month + interval '1 month') at time zone 'UTC');
          end if;
        end loop;
      end $$;
      comment on function ensure_audit_partition is 'Creates the partitions of a month, of both tables, if they do not exist yet.';

      create or replace function drop_audit_partition(retention interval) returns boolean language plpgsql
        set lock_timeout = '2s' as $$
      declare
        partition text;
      begin
        perform pg_advisory_xact_lock(hashtext('audit partitions'));
        select c.relname into partition
        from pg_inherits i join pg_class c on c.oid = i.inhrelid
        where i.inhparent in (to_regclass('audit_event'), to_regclass('audit_batch'))
          and c.relname ~ '^audit_(event|batch)_\\d{4}_\\d\\d$'
        order by right(c.relname, 7) limit 1;
        if (to_date(right(partition, 7), 'YYYY_MM') + interval '1 month') at time zone 'UTC' > now() - retention
          or partition is null
        then
          return false;
        end if;
        execute format('drop table %I', partition);
        return true;
      end $$;

      select ensure_audit_partition(now()), ensure_audit_partition(now() + interval '1 month');
    `);
  }

  /** The events of the batches become rows. The functions for partitions work without batches, too. */
  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      insert into audit_event (id, occurred_at, action, outcome, reason, principal, subject, service, session, client_address,
        request_id, application, node, details)
      select * from audit_trail where id >= 100000000000000000;
      drop view audit_trail;
      drop function audit_batch_events;
      drop table audit_batch;
    `);
  }
}
