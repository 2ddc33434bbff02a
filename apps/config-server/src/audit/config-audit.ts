// Records who encrypts, decrypts and reads settings, and when the config server's own settings change. The audit trail itself
// is loaded where events are stored or logged.
import {
  Inject,
  Injectable,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
  type OnModuleInit,
} from '@nestjs/common';
import type { AuditAction, AuditEvent } from '@tessera/audit';
import type { ChangedKeys } from '@tessera/config';
import { loggerFor } from '@tessera/logging';
import type { ConfigAuditTrail } from './config-audit-trail.js';
import { SharedDatabase } from '../database/shared-database.js';
import { configServerConfig } from '../settings/namespaces.js';
import type { ConfigServerSettings } from '../settings/config-server-settings.js';
import { type Read, ConfigReadCounter } from './config-read-counter.js';

const log = loggerFor('audit');

@Injectable()
export class ConfigAudit implements OnModuleInit, OnApplicationBootstrap, OnApplicationShutdown {
  private readonly reads = new ConfigReadCounter((event) => this.record(event));
  private trail: ConfigAuditTrail | undefined;
  private loading: Promise<ConfigAuditTrail> | undefined;

  constructor(
    @Inject(configServerConfig.KEY) private readonly settings: ConfigServerSettings,
    private readonly database: SharedDatabase,
  ) {}

  async onModuleInit(): Promise<void> {
    if (this.isRecorded('ENCRYPT')) await this.load();
  }

  /** Connects in the background, so that the log names a problem before there are events. */
  onApplicationBootstrap(): void {
    if (this.isStored('ENCRYPT')) this.trail?.connect();
  }

  /** After the last request, and before the database is closed. */
  async onApplicationShutdown(): Promise<void> {
    this.reads.flush();
    const trail = await this.loading;
    await trail?.stop();
  }

  /** Never waits and never fails. */
  record(event: AuditEvent): void {
    if (!this.isRecorded(event.action)) return;
    if (this.trail !== undefined) this.trail.record(event);
    else void this.load().then((trail) => trail.record(event));
  }

  /** @param wasStored whether events were stored before the change: the change that ends this is stored */
  recordReload(changes: ChangedKeys, wasStored: boolean): void {
    const details = { files: [], ...changes, pid: process.pid };
    const event: AuditEvent = { action: 'RELOAD_SETTINGS', outcome: 'success', details };
    if (wasStored) void this.load().then((trail) => trail.recordAlways(event));
    else this.record(event);
  }

  /** As {@link record}, for a read: the first of equal ones at once, and the number of the others after a minute. */
  recordRead(read: Read): void {
    if (this.isRecorded('READ_CONFIG')) this.reads.add(read);
  }

  private isRecorded(action: AuditAction): boolean {
    return this.isStored(action) || log.isEnabled('debug');
  }

  private isStored(action: AuditAction): boolean {
    const { storesAudit, audit } = this.settings;
    return storesAudit && (action !== 'READ_CONFIG' || audit.storesReads);
  }

  private load(): Promise<ConfigAuditTrail> {
    this.loading ??= import('./config-audit-trail.js').then(({ ConfigAuditTrail }) => {
      const { applicationName: application } = this.settings;
      const isStored = (event: AuditEvent): boolean => this.isStored(event.action);
      this.trail = new ConfigAuditTrail({ application, isStored }, this.database);
      return this.trail;
    });
    return this.loading;
  }
}
