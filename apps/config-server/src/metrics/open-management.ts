// The management server of the config server. Loaded only where there is one.
import type { Server } from 'node:http';
import type { INestApplication } from '@nestjs/common';
import { MetricsModule } from '@tessera/metrics';
import { ApiDescriptionModule, type ManagementServer, openManagementServer } from '@tessera/server';
import { apiDescription } from '../api-description.js';
import type { ConfigServerSettings } from '../settings.js';
import { ConfigServerMetrics } from './config-server-metrics.js';

export class ConfigServerManagement {
  private readonly recorded = new ConfigServerMetrics();

  /** Metrics are recorded from the construction on, so that none is missing: create it before the application. */
  constructor(private readonly settings: ConfigServerSettings) {}

  /** Opens the server for the application of this process. */
  open(app: INestApplication): Promise<ManagementServer> {
    this.recorded.http.server = app.getHttpServer() as Server;
    const { managementServer, baseUrl } = this.settings;
    const { allowedAddresses } = managementServer;
    const read = (): Promise<string> => this.recorded.metrics.text();
    const metrics = MetricsModule.forRoot({ read, allowedAddresses });
    const description = ApiDescriptionModule.forRoot(() => apiDescription(baseUrl));
    return openManagementServer([metrics, description], managementServer);
  }
}
