// Metrics of the applications in the formats of Prometheus, and the route where they are read.
export {
  countAuditWrites,
  countBuild,
  countCiphers,
  countDroppedSpans,
  countReloads,
  countVaultLeases,
} from './common-metrics.js';
export { HttpMetrics } from './http-metrics.js';
export { clusterText, Metrics, type MetricDescription } from './metrics.js';
export { MetricsModule } from './metrics.module.js';
export { countProcess } from './process-metrics.js';
