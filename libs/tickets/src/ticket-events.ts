// Events of this library, for metrics and the audit trail: tickets, and the batches of statements.
import { EventChannel, OperationChannel } from '@tessera/runtime';
import type { TicketErrorCode } from './errors.js';

export type GrantedKind = 'TGT' | 'PGT' | 'ST' | 'PT';

/** Who took part, as far as it is known. */
interface Participants {
  /** The id of the principal. */
  readonly principal?: string | undefined;
  readonly service?: string | undefined;
  /** The TGT or PGT, as the caller gave it. */
  readonly session?: string | undefined;
}

export type TicketEvent = Participants &
  (
    | { readonly type: 'granted'; readonly kind: GrantedKind }
    | { readonly type: 'validated'; readonly kind: 'ST' | 'PT' }
    | {
        readonly type: 'refused';
        readonly operation: 'grant' | 'validate';
        /** Of the ticket that was asked for, or presented. */
        readonly kind: GrantedKind | 'other';
        /** `ERROR` where the ticket could not be decided about, such as without a database. */
        readonly reason: TicketErrorCode | 'ERROR';
      }
    /** A session that a caller has ended. */
    | { readonly type: 'ended' }
  );

/** Must not throw. */
export type TicketObserver = (event: TicketEvent) => void;

export const ticketEvents = new EventChannel<TicketEvent>('tessera:tickets');

/** One statement for a batch of requests. */
export interface BatchEvent {
  readonly statement: 'create-session' | 'grant' | 'consume' | 'confirm-logout';
  /** Requests in the batch. */
  readonly size: number;
  readonly milliseconds: number;
  readonly outcome: 'success' | 'failure';
}

export const batchEvents = new EventChannel<BatchEvent>('tessera:statement-batches');

/** One statement for a batch of requests, from its beginning to its end. */
export interface BatchOperation {
  readonly statement: BatchEvent['statement'];
  /** The store of the observer for each request, in the order of their arrival. */
  readonly stores: readonly unknown[];
}

export const batchOperations = new OperationChannel<BatchOperation>('tessera:batches');
