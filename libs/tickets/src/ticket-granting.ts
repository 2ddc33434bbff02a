// Owns sessions: opening one for an authentication, asking after a ticket, and ending one.
import { grantingTicketNotFound } from './errors.js';
import { parseTicketId, type TicketId } from './ticket-id.js';
import type { Authentication, TicketRegistry } from './ticket-registry.js';

export class TicketGranting {
  constructor(private readonly registry: TicketRegistry) {}

  /** Opens a session; its TGT is durable when this returns. */
  issue(authentication: Authentication): Promise<TicketId> {
    return this.registry.createTicketGrantingTicket(authentication);
  }

  /**
   * Who a live TGT speaks for. Counts as no use.
   * @throws TicketError GRANTING_TICKET_NOT_FOUND for any other text
   */
  async require(text: string): Promise<Authentication> {
    const id = parseTicketId(text);
    const session = id && (await this.registry.findTicketGrantingTicket(id));
    if (session === undefined) throw grantingTicketNotFound();
    return session;
  }

  /** Whether the text is the id of a live TGT, PGT, ST or PT. Asking neither consumes nor extends it. */
  async isLive(text: string): Promise<boolean> {
    const id = parseTicketId(text);
    return id !== undefined && this.registry.isLive(id);
  }

  /** Destroys a ticket and what descends from it; unknown ids are no error. */
  async destroy(text: string): Promise<void> {
    const id = parseTicketId(text);
    if (id !== undefined) await this.registry.destroy(id);
  }
}
