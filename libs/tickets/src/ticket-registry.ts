// The port every ticket registry implements: what is promised of keeping tickets, whatever keeps them.
import type { Principal } from '@tessera/services';
import type { TicketId } from './ticket-id.js';

/** Who logged in, how and when: what a session stands for. */
export interface Authentication {
  readonly principal: Principal;
  /** Name of the handler that accepted the credential. */
  readonly handler: string;
  /** Kind of the credential, such as `UsernamePasswordCredential`. */
  readonly credentialType: string;
  readonly authenticatedAt: Date;
}

export interface ServiceTicketRequest {
  /** The TGT that pays for an ST. */
  readonly grantingTicket: TicketId;
  readonly service: string;
  /** Credentials came with this very request, so the ticket counts as a fresh login. */
  readonly withCredentials: boolean;
  /** Grant nothing that would not count as a fresh login. */
  readonly newLoginOnly: boolean;
}

/** A service ticket granted, or why not. */
export type Grant =
  | { readonly outcome: 'granted'; readonly id: TicketId }
  | { readonly outcome: 'granting-ticket-not-found' | 'new-login-required' };

/** Names a granting ticket to the registry without being its id; never leaves the service. */
export type GrantingTicketHandle = string & { readonly brand: 'GrantingTicketHandle' };

/** A service ticket as it was when it was consumed, with the session that paid for it. */
export interface ConsumedTicket {
  /** The TGT or PGT that paid; parent of a PGT made from this ticket. */
  readonly grantedBy: GrantingTicketHandle;
  readonly service: string;
  /** Issued with credentials, or the first of its session. */
  readonly fromNewLogin: boolean;
  readonly authentication: Authentication;
  /** The services it was proxied through, newest first; empty for an ST. */
  readonly proxies: readonly string[];
}

/**
 * Keeps tickets. Every operation may throw DatabaseError (`DATABASE_UNAVAILABLE`) and is then either done or not done;
 * a ticket whose consumption failed that way may be gone, but is never handed out twice.
 */
export interface TicketRegistry {
  /** Durable before it returns. */
  createTicketGrantingTicket(authentication: Authentication): Promise<TicketId>;
  /**
   * A PGT, child of the TGT or PGT behind a ticket consumed for `proxiedBy`; undefined where the parent is gone.
   * Lives as long as its session.
   */
  createProxyGrantingTicket(
    parent: GrantingTicketHandle,
    proxiedBy: string,
  ): Promise<TicketId | undefined>;
  /** The session behind a live TGT; counts as no use. */
  findTicketGrantingTicket(id: TicketId): Promise<Authentication | undefined>;
  /** Checks the TGT, grants the ST and counts the use, in one step. */
  grantServiceTicket(request: ServiceTicketRequest): Promise<Grant>;
  /** As an ST, paid for by a PGT; never a fresh login. */
  grantProxyTicket(grantingTicket: TicketId, service: string): Promise<Grant>;
  /**
   * Consumes an ST or PT: of any number of callers, on any number of nodes, at most one gets it. Undefined where it is
   * unknown, used, expired, or its session is gone; it is spent then too.
   */
  consume(id: TicketId): Promise<ConsumedTicket | undefined>;
  /** Whether a TGT, PGT, ST or PT is live; asking neither consumes nor extends it. */
  isLive(id: TicketId): Promise<boolean>;
  /** Destroys a ticket and all that descends from it; no error where there is none. */
  destroy(id: TicketId): Promise<void>;
  /** Drops what has expired, a bounded batch at a time; any node may call it at any time. */
  clean(): Promise<CleaningReport>;
}

export interface CleaningReport {
  /** Expired sessions removed. */
  readonly sessions: number;
  /** Whether the store of short-lived tickets moved on. */
  readonly rotated: boolean;
}
