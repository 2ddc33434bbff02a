// An audit trail whose database may not be connected yet, and whose table belongs to another application.
import type { Pool } from 'pg';
import { DatabaseError } from '@tessera/database';
import { AuditStore } from './audit-store.js';
import { AuditTrail, type AuditTrailOptions } from './audit-trail.js';
import { AuditWriter } from './audit-writer.js';

export interface OpenedAuditTrail {
  readonly trail: AuditTrail;
  /** Writes what waits, unless the database takes too long. */
  stop(): Promise<void>;
}

/** @param pool undefined until there is a connection: events wait for it, as for any database that is unavailable */
export function openAuditTrail(
  options: AuditTrailOptions,
  pool: () => Pool | undefined,
): OpenedAuditTrail {
  const insert: AuditStore['insert'] = async (records, firstId) => {
    const connected = pool();
    if (connected === undefined) {
      throw new DatabaseError('DATABASE_UNAVAILABLE', 'The database is not available.');
    }
    await new AuditStore(connected).insert(records, firstId);
  };
  const writer = new AuditWriter({ insert });
  return { trail: new AuditTrail(writer, options), stop: () => writer.stop() };
}
