// The parts of a process whose settings never change, for an application that a test creates alone.
import type { ProcessParts } from '../../apps/sso/src/process-parts.js';

export const FIXED_PARTS: Omit<ProcessParts, 'listener' | 'readMetrics'> = {
  reload: () => Promise.resolve({ changed: [], restart: [] }),
  explain: () => [],
  nodeId: 'a-test',
  isFirst: true,
};
