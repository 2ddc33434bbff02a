import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { PROCESS_PARTS, type ProcessParts } from '@tessera/server';
import type { OpenedDatabase } from './open-database.js';
import { configServerConfig } from '../settings/namespaces.js';
import type { ConfigServerSettings } from '../settings/config-server-settings.js';

/** One pool for the backend `postgres` and the audit trail. Its code is loaded when it is opened. */
@Injectable()
export class SharedDatabase implements OnApplicationShutdown {
  private opening: Promise<OpenedDatabase> | undefined;

  constructor(
    @Inject(configServerConfig.KEY) private readonly settings: ConfigServerSettings,
    @Inject(PROCESS_PARTS) private readonly parts: Pick<ProcessParts, 'reload' | 'isFirst'>,
  ) {}

  /** Opens the database, or returns the opened one. After an error, the next call tries again. @throws as `openDatabase` */
  open(): Promise<OpenedDatabase> {
    this.opening ??= this.load().catch((error: unknown) => {
      this.opening = undefined;
      throw error;
    });
    return this.opening;
  }

  async onApplicationShutdown(): Promise<void> {
    await this.close();
  }

  async close(): Promise<void> {
    const opened = await this.opening?.catch(() => undefined);
    await opened?.close();
  }

  private async load(): Promise<OpenedDatabase> {
    const { openDatabase } = await import('./open-database.js');
    return openDatabase(this.settings, this.parts);
  }
}
