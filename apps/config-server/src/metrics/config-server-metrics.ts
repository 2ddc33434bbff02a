// All metrics of the config server.
import {
  countAuditWrites,
  countBuild,
  countCiphers,
  countDroppedSpans,
  countProcess,
  countReloads,
  countVaultLeases,
  HttpMetrics,
  Metrics,
} from '@tessera/metrics';
import { countEnvironments } from './environment-metrics.js';

/** Records from now on. */
export class ConfigServerMetrics {
  readonly metrics = new Metrics();
  readonly http = new HttpMetrics(this.metrics);

  constructor() {
    const { metrics } = this;
    countBuild(metrics, 'config-server');
    countReloads(metrics);
    countVaultLeases(metrics);
    countCiphers(metrics);
    countEnvironments(metrics);
    countAuditWrites(metrics);
    countDroppedSpans(metrics);
    countProcess(metrics);
  }
}
