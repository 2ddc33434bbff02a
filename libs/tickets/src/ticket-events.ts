// What this library tells those who count: tickets, and the batches of statements.
import { EventChannel } from '@tessera/runtime';
import type { TicketErrorCode } from './errors.js';

export type GrantedKind = 'TGT' | 'PGT' | 'ST' | 'PT';

export type TicketEvent =
  | { readonly type: 'granted'; readonly kind: GrantedKind }
  | { readonly type: 'validated'; readonly kind: 'ST' | 'PT' }
  | {
      readonly type: 'refused';
      readonly operation: 'grant' | 'validate';
      /** Of the ticket that was asked for, or presented. */
      readonly kind: GrantedKind | 'other';
      /** `ERROR` where the ticket could not be decided about, such as without a database. */
      readonly reason: TicketErrorCode | 'ERROR';
    };

export const ticketEvents = new EventChannel<TicketEvent>('tessera:tickets');

/** One statement for a batch of requests. */
export interface BatchEvent {
  readonly statement: 'grant' | 'consume';
  /** Requests in the batch. */
  readonly size: number;
  readonly milliseconds: number;
  readonly outcome: 'success' | 'failure';
}

export const batchEvents = new EventChannel<BatchEvent>('tessera:statement-batches');
