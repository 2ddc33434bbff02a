// Changes by the command line, recorded in the audit trail in the transaction of the change.
import { hostname, userInfo } from 'node:os';
import type { EntityManager } from 'typeorm';
import { type AuditEvent, insertAuditEvent } from '@tessera/audit';
import type { OpenedDatabase } from '../database.js';

/** A success, unless it has another outcome. */
export type Change = Pick<AuditEvent, 'action' | 'subject' | 'reason' | 'details'> &
  Partial<Pick<AuditEvent, 'outcome'>>;

export interface ChangeContext {
  /** Of the transaction. */
  readonly manager: EntityManager;
  /** Records what was done, in the name of the user of the operating system. */
  readonly record: (change: Change) => Promise<void>;
}

/** Runs `work` in a transaction, which is rolled back if `work` throws. */
export function changing<T>(
  { dataSource, settings }: Pick<OpenedDatabase, 'dataSource' | 'settings'>,
  work: (context: ChangeContext) => Promise<T>,
): Promise<T> {
  return dataSource.transaction((manager) =>
    work({
      manager,
      async record(change) {
        if (!settings.audit.isEnabled) return;
        const event = { outcome: 'success', ...change, principal: operator() } as const;
        await insertAuditEvent(manager, event, { application: 'tessera', node: hostname() });
      },
    }),
  );
}

function operator(): string {
  try {
    return userInfo().username;
  } catch {
    // A container may run as a user without a name.
    return `user ${process.getuid?.() ?? 'unknown'}`;
  }
}
