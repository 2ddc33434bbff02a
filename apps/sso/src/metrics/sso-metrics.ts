// All metrics of the SSO application.
import {
  countAuditWrites,
  countBuild,
  countCiphers,
  countDroppedSpans,
  countProcess,
  countReloads,
  countVaultLeases,
  HttpMetrics,
  type Metrics,
} from '@tessera/metrics';
import { countConnections, countServices, type PoolCounts } from './database-metrics.js';
import { countLogins, countPasswordHashes } from './login-metrics.js';
import { countLogoutMessages } from './logout-metrics.js';
import { countOpenIdConnect } from './oidc-metrics.js';
import { countBatches, countTickets } from './ticket-metrics.js';

/** What a process that serves requests records, from now on. */
export class RequestMetrics {
  readonly http: HttpMetrics;
  /** @param pool the connections of the current application, if there is one */
  constructor(metrics: Metrics, pool: () => PoolCounts | undefined) {
    this.http = new HttpMetrics(metrics);
    countTickets(metrics);
    countBatches(metrics);
    countLogins(metrics);
    countPasswordHashes(metrics);
    countConnections(metrics, pool);
    countServices(metrics);
    countLogoutMessages(metrics);
    countOpenIdConnect(metrics);
    countDroppedSpans(metrics);
    countAuditWrites(metrics);
    countProcess(metrics);
  }
}

/** What the process that leads the node records, from now on. Where it serves requests too, it has both. */
export function recordNode(metrics: Metrics): void {
  countBuild(metrics, 'sso');
  countReloads(metrics);
  countVaultLeases(metrics);
  countCiphers(metrics);
}
