// The management server of the SSO application, and what each process of it records. Loaded only where there is a server.
import cluster from 'node:cluster';
import type { Server } from 'node:http';
import type { INestApplication } from '@nestjs/common';
import { getDataSourceToken } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import type { LiveSettings, Reload } from '@tessera/config';
import { poolOf } from '@tessera/database';
import { clusterText, Metrics, MetricsModule } from '@tessera/metrics';
import { ApiDescriptionModule, type ManagementServer, openManagementServer } from '@tessera/server';
import { apiDescription } from '../api-description.js';
import { hasOperatorApi } from '../settings/operator-settings.js';
import type { SsoSettings } from '../settings.js';
import { recordNode, RequestMetrics } from './sso-metrics.js';

/** Workers have the metrics of requests, and their primary process those of the node and the server. */
export class SsoManagement {
  private readonly metrics = new Metrics();
  private requests: RequestMetrics | undefined;

  constructor(
    private readonly live: LiveSettings<SsoSettings>,
    private readonly reload: Reload,
  ) {}

  /** Begins to record the requests of this process. Call it before the application is created. */
  recordRequests(): void {
    this.requests = new RequestMetrics(this.metrics);
    if (cluster.isWorker) this.metrics.answerPrimary();
    else recordNode(this.metrics);
  }

  /** Counts the requests and connections of the application. */
  attach(app: INestApplication): void {
    if (this.requests === undefined) return;
    this.requests.http.server = app.getHttpServer() as Server;
    this.requests.pool = poolOf(app.get<DataSource>(getDataSourceToken(), { strict: false }));
  }

  /** Opens the server in a process that serves requests itself. @param application of the process */
  async open(application: INestApplication): Promise<ManagementServer> {
    const { managementServer } = this.live.current;
    const readMetrics = (): Promise<string> => this.metrics.text();
    const modules = this.modules(readMetrics);
    if (!hasOperatorApi(this.live.current)) return openManagementServer(modules, managementServer);
    const { openOperatorServer } = await import('../operator/open-operator-server.js');
    return openOperatorServer(modules, managementServer, { application, readMetrics });
  }

  /** Opens the server in the primary process of several. */
  async openInPrimary(): Promise<ManagementServer> {
    recordNode(this.metrics);
    const { managementServer } = this.live.current;
    const readMetrics = clusterText(this.metrics);
    const modules = this.modules(readMetrics);
    if (!hasOperatorApi(this.live.current)) return openManagementServer(modules, managementServer);
    const { openLoneOperatorServer } = await import('../operator/open-operator-server.js');
    return openLoneOperatorServer(modules, { live: this.live, reload: this.reload }, readMetrics);
  }

  private modules(read: () => Promise<string>) {
    const { allowedAddresses } = this.live.current.managementServer;
    return [
      MetricsModule.forRoot({ read, allowedAddresses }),
      ApiDescriptionModule.forRoot(() => apiDescription(this.live.current)),
    ];
  }
}
