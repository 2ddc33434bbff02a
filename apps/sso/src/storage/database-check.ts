// The readiness check of the database: it responds, has every migration, serves this program, and is writable.
import type { DataSource } from 'typeorm';
import { probeWrite, readSchema, tooOldReason, unavailabilityOf } from '@tessera/database';
import type { ReadinessCheck } from '@tessera/server';

/** How long a result is cached, so that many probes cause one query. */
const CACHE_MS = 1_000;

export function databaseCheck(dataSource: DataSource): ReadinessCheck {
  let checkedAt = Number.NEGATIVE_INFINITY;
  let result: Promise<string | undefined> = Promise.resolve(undefined);
  return {
    name: 'database',
    check() {
      if (performance.now() - checkedAt >= CACHE_MS) {
        checkedAt = performance.now();
        result = reasonNotReady(dataSource);
      }
      return result;
    },
  };
}

async function reasonNotReady(dataSource: DataSource): Promise<string | undefined> {
  try {
    const schema = await readSchema(dataSource);
    const reason = tooOldReason(schema);
    if (reason !== undefined) return reason;
    const pending = schema.pending.map(({ name }) => name);
    if (pending.length > 0) return `migrations pending: ${pending.join(', ')}`;
    return (await probeWrite(dataSource)).isReadOnly ? 'read-only' : undefined;
  } catch (error) {
    const reason = unavailabilityOf(error);
    if (reason === undefined) throw error;
    return reason;
  }
}
