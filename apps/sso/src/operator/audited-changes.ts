// Changes by operators, recorded in the audit trail in the transaction of the change.
import { Inject, Injectable } from '@nestjs/common';
import { getDataSourceToken } from '@nestjs/typeorm';
import type { DataSource, EntityManager } from 'typeorm';
import { type AuditEvent, AuditTrail } from '@tessera/audit';
import { durableTransaction, toDatabaseError } from '@tessera/database';
import type { Operator } from './access/operator.js';

type Change = Pick<AuditEvent, 'action' | 'subject' | 'details'>;

/** Records what was done. */
export type RecordChange = (change: Change) => Promise<void>;

@Injectable()
export class AuditedChanges {
  constructor(
    @Inject(getDataSourceToken()) private readonly dataSource: DataSource,
    private readonly trail: AuditTrail,
  ) {}

  /** Runs `work` in a transaction, which is rolled back if `work` throws. */
  async run<T>(
    { name }: Operator,
    work: (manager: EntityManager, record: RecordChange) => Promise<T>,
  ): Promise<T> {
    const events: AuditEvent[] = [];
    const result = await this.transaction((manager) =>
      work(manager, async (change) => {
        const event = { ...change, outcome: 'success', principal: name } as const;
        await this.trail.recordIn(manager, event);
        events.push(event);
      }),
    );
    for (const event of events) this.trail.log(event);
    return result;
  }

  /** Records what was done outside a transaction. */
  record({ name }: Operator, change: Change): void {
    this.trail.record({ ...change, outcome: 'success', principal: name });
  }

  private async transaction<T>(work: (manager: EntityManager) => Promise<T>): Promise<T> {
    try {
      return await durableTransaction(this.dataSource.manager, work);
    } catch (error) {
      throw toDatabaseError(error);
    }
  }
}
