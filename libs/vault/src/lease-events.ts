// Events of the leased token of Vault, for metrics.
import { EventChannel } from '@tessera/runtime';

export interface LeaseEvent {
  /** Identifies the token's holder; there is one for each connection to Vault. */
  readonly holder: object;
  readonly type: 'renewed' | 'logged-in' | 'failed' | 'used' | 'closed';
  /** Milliseconds until the token expires; Infinity for one that never does, undefined where there is none. */
  readonly timeLeft?: number | undefined;
}

export const leaseEvents = new EventChannel<LeaseEvent>('tessera:vault-leases');
