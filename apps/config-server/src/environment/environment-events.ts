// What the reading of environments tells those who count and those who trace.
import { EventChannel, OperationChannel } from '@tessera/runtime';

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

/** What a caller waits for: a query that is not answered from memory, and may be shared with others, or a plain file. */
export interface BackendOperation {
  /** As in `config-server.backends`. */
  readonly backend: string;
  readonly operation: 'find' | 'read-file' | 'refresh';
}

export const backendOperations = new OperationChannel<BackendOperation>('tessera:backends');
