// The audit trail of the config server, and its connection to the database. Loaded only where events are recorded.
import { hostname } from 'node:os';
import type { Pool } from 'pg';
import { type AuditEvent, type AuditTrailOptions, openAuditTrail } from '@tessera/audit';
import { poolOf, reasonOf } from '@tessera/database';
import { loggerFor, withoutRequest } from '@tessera/logging';
import type { SharedDatabase } from '../database/shared-database.js';
import type { OpenedDatabase } from '../database/open-database.js';

const log = loggerFor('audit');

type ConfigAuditOptions = Omit<AuditTrailOptions, 'node'>;

/** Opens the database in the background, with the first event that is stored or before. Events wait for it. */
export class ConfigAuditTrail {
  private readonly opened: ReturnType<typeof openAuditTrail>;
  private database: OpenedDatabase | undefined;
  private connecting: Promise<void> | undefined;

  constructor(
    options: ConfigAuditOptions,
    private readonly shared: Pick<SharedDatabase, 'open'>,
  ) {
    this.opened = openAuditTrail({ ...options, node: hostname() }, () => this.pool());
  }

  record(event: AuditEvent): void {
    this.opened.trail.record(event);
  }

  recordAlways(event: AuditEvent): void {
    this.connect();
    this.opened.trail.recordAlways(event);
  }

  /** Does not wait for the connection. */
  connect(): void {
    this.connecting ??= withoutRequest(() => this.open());
  }

  /** Writes what waits, also for a connection that has just begun. */
  async stop(): Promise<void> {
    await this.connecting;
    await this.database?.dataSource.get().catch(() => {});
    await this.opened.stop();
  }

  private pool(): Pool | undefined {
    if (this.database === undefined) this.connect();
    const dataSource = this.database?.dataSource.current;
    return dataSource && poolOf(dataSource);
  }

  private async open(): Promise<void> {
    try {
      this.database = await this.shared.open();
    } catch (error) {
      log.warn({ reason: reasonOf(error) }, 'audit events are not stored: there is no database');
    }
  }
}
