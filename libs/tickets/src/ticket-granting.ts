// Creates, looks up and destroys sessions and their tickets.
import { grantingTicketNotFound, TicketError } from './errors.js';
import { observed } from './observed.js';
import type { TicketObserver } from './ticket-events.js';
import { parseTicketId, type TicketId } from './ticket-id.js';
import type {
  Authentication,
  ConsumedTicket,
  GrantingTicketHandle,
  SessionOptions,
  SessionService,
  SessionSummary,
  TicketRegistry,
} from './ticket-registry.js';

const MAX_SESSIONS = 20;
const HANDLE = /^[0-9a-f]{64}$/;

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
    return observed(grant, { kind: 'TGT', principal }, this.observe);
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
    return observed(grant, { kind: 'PGT', principal, service }, this.observe);
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
    return id?.kind === 'TGT' ? this.registry.findServices(id) : [];
  }

  /** The other live sessions of the user of a TGT, the last used first, at most 20; none for any other text. */
  async otherSessions(text: string): Promise<readonly SessionSummary[]> {
    const id = parseTicketId(text);
    return id?.kind === 'TGT' ? this.registry.findOtherSessions(id, MAX_SESSIONS) : [];
  }

  /** Ends other sessions of the user of a live TGT: the one with that handle, or all. Unknown ones are no error. */
  async endOtherSessions(text: string, session?: string): Promise<void> {
    const id = parseTicketId(text);
    if (id?.kind !== 'TGT') return;
    if (session !== undefined && !HANDLE.test(session)) return;
    const handle = session as GrantingTicketHandle | undefined;
    for (const principal of await this.registry.destroyOtherSessions(id, handle)) {
      this.observe({ type: 'ended', principal });
    }
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
