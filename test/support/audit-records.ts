// Stores audit records of any time.
import type { DataSource } from 'typeorm';
import { type AuditRecord, AuditStore, AuditWriter } from '@tessera/audit';
import { poolOf } from '@tessera/database';

export async function storeAuditRecords(
  dataSource: DataSource,
  records: readonly AuditRecord[],
): Promise<void> {
  const writer = new AuditWriter(new AuditStore(poolOf(dataSource)));
  for (const record of records) writer.add(record);
  await writer.stop();
}

/** Removes all events. */
export async function clearAuditTrail(dataSource: DataSource): Promise<void> {
  await dataSource.query('delete from audit_event');
}
