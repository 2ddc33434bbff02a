import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';

/** A row of the table `audit_event`. Rows are added and removed, never changed. */
@Entity({ name: 'audit_event' })
export class AuditEventEntity {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'ALWAYS' })
  readonly id!: string;

  @Column({ name: 'occurred_at', type: 'timestamptz', insert: false, update: false })
  readonly occurredAt!: Date;

  @Column({ type: 'text' })
  readonly action!: string;

  /** The id of the changed object. */
  @Column({ type: 'text' })
  readonly subject!: string;

  @Column({ type: 'text' })
  readonly principal!: string;

  /** The masked ticket of the session. */
  @Column({ type: 'text' })
  readonly session!: string;

  @Column({ name: 'client_address', type: 'text' })
  readonly clientAddress!: string;

  @Column({ type: 'text' })
  readonly application!: string;

  @Column({ type: 'text' })
  readonly node!: string;

  @Column({ type: 'jsonb' })
  readonly details!: object;
}
