import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { AuditOutcome, AuditRecord } from './audit-event.js';

/** A row of the table `audit_event`: an event of the audit trail. Rows are added, never changed. */
@Entity({ name: 'audit_event' })
export class AuditEventEntity implements AuditRecord {
  /** Tells events of the same time apart. PostgreSQL sets it for a change that is recorded in its own transaction. */
  @PrimaryColumn({ type: 'bigint', insert: false, update: false })
  readonly id!: string;

  @Column({ name: 'occurred_at', type: 'timestamptz' })
  readonly occurredAt!: Date;

  @Column({ type: 'text' })
  readonly action!: string;

  @Column({ type: 'text' })
  readonly outcome!: AuditOutcome;

  @Column({ type: 'text', nullable: true })
  readonly reason!: string | null;

  @Column({ type: 'text', nullable: true })
  readonly principal!: string | null;

  @Column({ type: 'text', nullable: true })
  readonly subject!: string | null;

  @Column({ type: 'text', nullable: true })
  readonly service!: string | null;

  @Column({ type: 'text', nullable: true })
  readonly session!: string | null;

  @Column({ name: 'client_address', type: 'text', nullable: true })
  readonly clientAddress!: string | null;

  @Column({ name: 'request_id', type: 'text', nullable: true })
  readonly requestId!: string | null;

  @Column({ type: 'text' })
  readonly application!: string;

  @Column({ type: 'text' })
  readonly node!: string;

  @Column({ type: 'jsonb', nullable: true })
  readonly details!: object | null;
}
