// The management server of the SSO application, and what each process of it records. Loaded only where there is a server.
import cluster from 'node:cluster';
import type { Server } from 'node:http';
import type { INestApplication } from '@nestjs/common';
import { getDataSourceToken } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { poolOf } from '@tessera/database';
import { clusterText, Metrics, MetricsModule } from '@tessera/metrics';
import { type ManagementServer, openManagementServer } from '@tessera/server';
import type { ManagementServerSettings } from '../settings/management-server-settings.js';
import { recordNode, RequestMetrics } from './sso-metrics.js';

/** Workers have the metrics of requests, and their primary process those of the node and the server. */
export class SsoManagement {
  private readonly metrics = new Metrics();
  private requests: RequestMetrics | undefined;

  constructor(private readonly settings: ManagementServerSettings) {}

  /** Begins to record the requests of this process. Call it before the application is created. */
  recordRequests(): void {
    this.requests = new RequestMetrics(this.metrics);
    this.metrics.addProcess();
    if (cluster.isWorker) this.metrics.answerPrimary();
    else recordNode(this.metrics);
  }

  /** Counts the requests and connections of the application. */
  attach(app: INestApplication): void {
    if (this.requests === undefined) return;
    this.requests.http.server = app.getHttpServer() as Server;
    this.requests.pool = poolOf(app.get<DataSource>(getDataSourceToken(), { strict: false }));
  }

  /** Opens the server in a process that serves requests itself. */
  open(): Promise<ManagementServer> {
    return this.openReading(() => this.metrics.text());
  }

  /** Opens the server in the primary process of several. */
  openInPrimary(): Promise<ManagementServer> {
    recordNode(this.metrics);
    return this.openReading(clusterText(this.metrics));
  }

  private openReading(read: () => Promise<string>): Promise<ManagementServer> {
    const { allowedAddresses } = this.settings;
    return openManagementServer(MetricsModule.forRoot({ read, allowedAddresses }), this.settings);
  }
}
