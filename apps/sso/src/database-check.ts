// Owns whether the database is fit for requests, for the readiness check.
import type { DataSource } from 'typeorm';
import { isUnavailable, pendingMigrations } from '@tessera/database';
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
    return pending.length === 0 ? undefined : `migrations pending: ${pending.join(', ')}`;
  } catch (error) {
    if (isUnavailable(error)) return 'unreachable';
    throw error;
  }
}
