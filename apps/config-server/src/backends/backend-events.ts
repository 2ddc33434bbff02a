// Events and operations of backends, for metrics and traces.
import { EventChannel, OperationChannel } from '@tessera/runtime';

/** A query to a backend that was not answered from memory. */
export interface BackendRead {
  /** As in `config-server.backends`. */
  readonly backend: string;
  /** `unavailable`: an outage; `failed`: any other error, such as an unknown label or a malformed file. */
  readonly outcome: 'success' | 'unavailable' | 'failed';
  readonly milliseconds: number;
}

export const backendReads = new EventChannel<BackendRead>('tessera:backend-reads');

/** What a caller waits for: a query that is not answered from memory, and may be shared with others, or a plain file. */
export interface BackendOperation {
  /** As in `config-server.backends`. */
  readonly backend: string;
  readonly operation: 'find' | 'read-file' | 'refresh';
}

export const backendOperations = new OperationChannel<BackendOperation>('tessera:backends');
