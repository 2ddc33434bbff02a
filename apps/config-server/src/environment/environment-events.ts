// What the reading of environments tells those who count.
import { EventChannel } from '@tessera/runtime';

export type EnvironmentEvent =
  /** A query to a backend, not answered from memory. */
  | {
      readonly type: 'backend-read';
      /** As in `config-server.backends`. */
      readonly backend: string;
      /** `unavailable`: an outage; `failed`: any other error, such as an unknown label or a malformed file. */
      readonly outcome: 'success' | 'unavailable' | 'failed';
      readonly milliseconds: number;
    }
  /** An environment for a caller, from memory or put together. */
  | { readonly type: 'environment'; readonly isCached: boolean };

export const environmentEvents = new EventChannel<EnvironmentEvent>('tessera:environments');
