// The readiness check of the database: it answers, has the schema, and can write.
import type { DataSource } from 'typeorm';
import { pendingMigrations, probeWrite, unavailabilityOf } from '@tessera/database';
import type { ReadinessCheck } from '@tessera/server';

/** How long an answer holds, in milliseconds: however many ask, the database is asked once in this time. */
const READINESS_HOLDS = 1_000;

export function databaseCheck(dataSource: DataSource): ReadinessCheck {
  let asked = Number.NEGATIVE_INFINITY;
  let answer: Promise<string | undefined> = Promise.resolve(undefined);
  return {
    name: 'database',
    check() {
      if (performance.now() - asked >= READINESS_HOLDS) {
        asked = performance.now();
        answer = faultOf(dataSource);
      }
      return answer;
    },
  };
}

async function faultOf(dataSource: DataSource): Promise<string | undefined> {
  try {
    const pending = await pendingMigrations(dataSource);
    if (pending.length > 0) return `migrations pending: ${pending.join(', ')}`;
    return (await probeWrite(dataSource)).isReadOnly ? 'read-only' : undefined;
  } catch (error) {
    const reason = unavailabilityOf(error);
    if (reason === undefined) throw error;
    return reason;
  }
}
