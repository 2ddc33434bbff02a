// Creates, looks up and destroys sessions and their tickets.
import { grantingTicketNotFound, TicketError } from './errors.js';
import { parseTicketId, type TicketId } from './ticket-id.js';
import type { Authentication, ConsumedTicket, TicketRegistry } from './ticket-registry.js';

export class TicketGranting {
  constructor(private readonly registry: TicketRegistry) {}

  /** Creates a session. Its TGT is durable when this returns. */
  issue(authentication: Authentication): Promise<TicketId> {
    return this.registry.createTicketGrantingTicket(authentication);
  }

  /**
   * Creates a PGT for the proxy at `callbackUrl`, from the session of a validated ticket.
   * @throws TicketError INVALID_TICKET where the session has just ended
   * @see CAS 3.0 §3.3
   */
  async issueProxy({ grantedBy }: ConsumedTicket, callbackUrl: string): Promise<TicketId> {
    const id = await this.registry.createProxyGrantingTicket(grantedBy, callbackUrl);
    if (id === undefined) throw new TicketError('INVALID_TICKET', 'the session has ended');
    return id;
  }

  /** The authentication of a live TGT; undefined for any other text. Does not count as a use of the session. */
  async find(text: string): Promise<Authentication | undefined> {
    const id = parseTicketId(text);
    return id && this.registry.findTicketGrantingTicket(id);
  }

  /** As `find`. @throws TicketError GRANTING_TICKET_NOT_FOUND for any text other than a live TGT */
  async require(text: string): Promise<Authentication> {
    const session = await this.find(text);
    if (session === undefined) throw grantingTicketNotFound();
    return session;
  }

  /** Whether the text is the id of a live TGT, PGT, ST or PT. Neither consumes nor extends it. */
  async isLive(text: string): Promise<boolean> {
    const id = parseTicketId(text);
    return id !== undefined && this.registry.isLive(id);
  }

  /** Destroys a ticket and its descendants. Unknown ids are no error. */
  async destroy(text: string): Promise<void> {
    const id = parseTicketId(text);
    if (id !== undefined) await this.registry.destroy(id);
  }
}
