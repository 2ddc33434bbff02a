// Events of reloads, for metrics.
import { EventChannel } from '@tessera/runtime';

export interface ReloadEvent {
  readonly outcome: 'changed' | 'unchanged' | 'rejected';
}

/** One event for each reload of the processes of this node, in the process that leads it. */
export const reloadEvents = new EventChannel<ReloadEvent>('tessera:reloads');
