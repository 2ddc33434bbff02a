// The metrics that a process records from its start on. Loaded only where there is a management listener.
import cluster from 'node:cluster';
import type { Listener, ReadMetrics } from '@tessera/server';
import { clusterText, Metrics } from '@tessera/metrics';
import type { PoolCounts } from './database-metrics.js';
import { recordNode, RequestMetrics } from './sso-metrics.js';

/** Workers have the metrics of requests, and their primary process those of the node. */
export class RecordedMetrics {
  /** The metrics of all processes. */
  readonly read: ReadMetrics;

  private constructor(metrics: Metrics, servesRequests: boolean) {
    if (cluster.isWorker) metrics.answerPrimary();
    else recordNode(metrics);
    this.read = servesRequests ? () => metrics.text() : clusterText(metrics);
  }

  /** In a process that serves requests. @param pool the connections of the current application, if there is one */
  static ofRequests({ server }: Listener, pool: () => PoolCounts | undefined): RecordedMetrics {
    const metrics = new Metrics();
    new RequestMetrics(metrics, pool).http.server = server;
    return new RecordedMetrics(metrics, true);
  }

  /** In the primary process of several. */
  static ofPrimary(): RecordedMetrics {
    return new RecordedMetrics(new Metrics(), false);
  }
}
