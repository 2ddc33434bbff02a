// Events of the delivery of logout messages, for metrics and traces.
import { EventChannel } from '@tessera/runtime';

export type LogoutEvent =
  | {
      readonly type: 'sent';
      readonly outcome: 'delivered' | 'retried' | 'failed' | 'dropped';
    }
  /** Messages of all nodes. */
  | { readonly type: 'queue'; readonly pending: number; readonly failed: number };

export const logoutEvents = new EventChannel<LogoutEvent>('tessera:logout-messages');
