import { EventChannel } from '@tessera/runtime';

/** An environment for a caller: from memory, or assembled and rendered. */
export interface EnvironmentServed {
  readonly isCached: boolean;
}

export const environmentsServed = new EventChannel<EnvironmentServed>('tessera:environments');
