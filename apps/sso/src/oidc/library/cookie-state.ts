// What requests to the library have of our cookie, in the state of their context.
import type { GrantingTicketHandle } from '@tessera/tickets';

export interface CookieState {
  /** The id of the TGT. */
  readonly tgt?: string;
  readonly handle?: GrantingTicketHandle;
  /** The user wants to be asked before a login to another application. */
  readonly warn?: boolean;
}
