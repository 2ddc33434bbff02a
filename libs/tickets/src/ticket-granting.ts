// Creates, looks up and destroys sessions and their tickets.
import { grantingTicketNotFound, TicketError } from './errors.js';
import { reportOutcome } from './report-grants.js';
import type { TicketObserver } from './ticket-events.js';
import { parseTicketId, type TicketId } from './ticket-id.js';
import {
  handleOf,
  type Authentication,
  type ConsumedTicket,
  type SessionDetails,
  type SessionOptions,
  type SessionService,
  type TicketRegistry,
} from './ticket-registry.js';

/** Sessions of a user that are shown, and among which they are chosen. */
const MAX_SHOWN = 20;
const MAX_SESSIONS = 100;

export class TicketGranting {
  /** @param observe called for each TGT and PGT that is granted or refused, and each session that a caller ends */
  constructor(
    private readonly registry: TicketRegistry,
    private readonly observe: TicketObserver = () => {},
  ) {}

  /** Creates a session. Its TGT is durable when this returns. */
  issue(authentication: Authentication, options: SessionOptions = {}): Promise<TicketId> {
    const id = this.registry.createTicketGrantingTicket(authentication, options);
    const principal = authentication.principal.id;
    const grant = id.then((created) => ({ id: created }));
    return reportOutcome(grant, { kind: 'TGT', principal }, this.observe);
  }

  /**
   * Replaces the authentication of a session by a later one of its user. It is durable when this returns.
   * @returns false where the session has ended, or is not the user's own
   */
  async renew(text: string, authentication: Authentication): Promise<boolean> {
    const id = parseTicketId(text);
    return id !== undefined && this.registry.renewTicketGrantingTicket(id, authentication);
  }

  /**
   * Creates a PGT for the proxy at `callbackUrl`, from the session of a validated ticket.
   * @throws TicketError INVALID_TICKET where the session has just ended
   * @see CAS 3.0 §3.3
   */
  issueProxy(validated: ConsumedTicket, callbackUrl: string): Promise<TicketId> {
    const { service, authentication } = validated;
    const principal = authentication.principal.id;
    const grant = this.createProxy(validated, callbackUrl);
    return reportOutcome(grant, { kind: 'PGT', principal, service }, this.observe);
  }

  private async createProxy(
    { grantedBy, service }: ConsumedTicket,
    callbackUrl: string,
  ): Promise<{ readonly id: TicketId }> {
    const id = await this.registry.createProxyGrantingTicket(grantedBy, { service, callbackUrl });
    if (id === undefined) throw new TicketError('INVALID_TICKET', 'the session has ended');
    return { id };
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

  /** The services that the session of a TGT signed in to, of those that are told when it ends; none for any other text. */
  async services(text: string): Promise<readonly SessionService[]> {
    const id = parseTicketId(text);
    return id?.kind === 'TGT' ? this.registry.sessions.services(handleOf(id)) : [];
  }

  /** The other live sessions of the user of a TGT, the last used first, at most 20; none for any other text. */
  async otherSessions(text: string): Promise<readonly SessionDetails[]> {
    const own = await this.session(text);
    if (own === undefined) return [];
    const principal = own.authentication.principal.id;
    const found = await this.registry.sessions.list({ principal, limit: MAX_SESSIONS });
    return found
      .filter(({ handle }) => handle !== own.handle)
      .toSorted((one, other) => other.lastUsedAt.getTime() - one.lastUsedAt.getTime())
      .slice(0, MAX_SHOWN);
  }

  /** Ends other sessions of the user of a live TGT: the one with that handle, or all. Unknown ones are no error. */
  async endOtherSessions(text: string, handle?: string): Promise<void> {
    const own = await this.session(text);
    if (own === undefined || handle === own.handle) return;
    const { sessions } = this.registry;
    const principal = own.authentication.principal.id;
    let ended = 0;
    if (handle === undefined) {
      ended = await sessions.endAll(principal, own.handle);
    } else {
      const session = await sessions.find(handle);
      if (session?.authentication.principal.id !== principal) return;
      ended = (await sessions.end(handle)) === undefined ? 0 : 1;
    }
    for (let each = 0; each < ended; each += 1) this.observe({ type: 'ended', principal });
  }

  /** The live session of a TGT; undefined for any other text. */
  private async session(text: string): Promise<SessionDetails | undefined> {
    const id = parseTicketId(text);
    return id?.kind === 'TGT' ? this.registry.sessions.find(handleOf(id)) : undefined;
  }

  /** Whether the text is the id of a live TGT, PGT, ST or PT. Neither consumes nor extends it. */
  async isLive(text: string): Promise<boolean> {
    const id = parseTicketId(text);
    return id !== undefined && this.registry.isLive(id);
  }

  /** Destroys a ticket and its descendants. Unknown ids are no error. */
  async destroy(text: string): Promise<void> {
    const id = parseTicketId(text);
    const principal = id && (await this.registry.destroy(id));
    if (principal !== undefined) this.observe({ type: 'ended', principal, session: text });
  }
}
