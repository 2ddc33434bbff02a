// The management server of the config server. Loaded only where there is one.
import type { Server } from 'node:http';
import type { INestApplication } from '@nestjs/common';
import { MetricsModule } from '@tessera/metrics';
import { type ManagementServer, openManagementServer } from '@tessera/server';
import type { ManagementServerSettings } from '../settings/management-server-settings.js';
import { ConfigServerMetrics } from './config-server-metrics.js';

export class ConfigServerManagement {
  private readonly recorded = new ConfigServerMetrics();

  /** Metrics are recorded from the construction on, so that none is missing: create it before the application. */
  constructor(private readonly settings: ManagementServerSettings) {
    this.recorded.metrics.addProcess();
  }

  /** Opens the server for the application of this process. */
  open(app: INestApplication): Promise<ManagementServer> {
    this.recorded.http.server = app.getHttpServer() as Server;
    const { allowedAddresses } = this.settings;
    const read = (): Promise<string> => this.recorded.metrics.text();
    const metrics = MetricsModule.forRoot({ read, allowedAddresses });
    return openManagementServer([metrics], this.settings);
  }
}
