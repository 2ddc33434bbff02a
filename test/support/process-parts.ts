// The parts of a process whose settings never change, for an application that a test creates alone.
import { MemoryFailureStore, MemoryRequestRateStore } from '@tessera/throttling';
import type { ConfigServerParts } from '../../apps/config-server/src/process/process-parts.js';
import type { SsoParts } from '../../apps/sso/src/process/process-parts.js';

/** The counts of a new process of the config server. */
export function newCounts(): Pick<ConfigServerParts, 'failedLogins' | 'requestRates'> {
  return { failedLogins: new MemoryFailureStore(), requestRates: new MemoryRequestRateStore() };
}

export const FIXED_PARTS: Omit<SsoParts, 'listener' | 'readMetrics'> = {
  reload: () => Promise.resolve({ changed: [], restart: [] }),
  explain: () => [],
  nodeId: 'a-test',
  servesRequests: true,
  isFirst: true,
};
