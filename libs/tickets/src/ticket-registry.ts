// The port of ticket registries.
import type { Principal } from '@tessera/services';
import type { ApplicationProtocol, LogoutQueue } from './logout-queue.js';
import { hashTicketId, type TicketId } from './ticket-id.js';

/** How a session differs from that of a REST client. */
export interface SessionOptions {
  /** It has no idle time, and a lifetime of its own. */
  readonly isRemembered?: boolean;
  /** A browser signs in without credentials from then on, so a ticket is from a new login only if it came with them. */
  readonly isOfBrowser?: boolean;
}

/** How a user proved who he is, and when. */
export interface UsedMethod {
  readonly method: 'password' | 'certificate';
  readonly at: Date;
}

/** Who logged in, how and when: the content of a session. After several logins of the user it is of the last one. */
export interface Authentication {
  readonly principal: Principal;
  /** Name of the handler that accepted the credential. */
  readonly handler: string;
  /** Kind of the credential, such as `UsernamePasswordCredential`. */
  readonly credentialType: string;
  readonly authenticatedAt: Date;
  /** In the order of their use. */
  readonly methods: readonly UsedMethod[];
  /** For the password of an account: when it was set. A session begins only while the account has it and is not disabled. */
  readonly passwordChangedAt?: Date | undefined;
}

export interface ServiceTicketRequest {
  /** The TGT. */
  readonly grantingTicket: TicketId;
  readonly service: string;
  /** This request presented credentials, so the ticket counts as a new login. */
  readonly withCredentials: boolean;
  /** Refuse the ticket unless it counts as a new login. */
  readonly newLoginOnly: boolean;
  /** The most milliseconds that it lives; never longer than others do. */
  readonly lifetime?: number | undefined;
}

/** A granted service ticket with the id of the principal, or the reason of the refusal. */
export type Grant =
  | { readonly outcome: 'granted'; readonly id: TicketId; readonly principal: string }
  | { readonly outcome: 'granting-ticket-not-found' | 'new-login-required' };

/** A reference to a granting ticket: the SHA-256 of its id, as 64 hexadecimal digits. Nobody can use it as a ticket. */
export type GrantingTicketHandle = string & { readonly brand: 'GrantingTicketHandle' };

export function handleOf(id: TicketId): GrantingTicketHandle {
  return hashTicketId(id) as GrantingTicketHandle;
}

/** A service that gets tickets in the name of its user. */
export interface ProxyingService {
  /** The service whose ticket was validated. */
  readonly service: string;
  readonly callbackUrl: string;
}

/** An application that a session signed in to. */
export interface SessionService {
  readonly protocol: ApplicationProtocol;
  /** By which its registration is found: of `cas` the service URL, of `oidc` the client id. */
  readonly application: string;
  /** By which the application finds its own session: the last ones, the oldest first. Of `cas` its tickets. */
  readonly sessionIndexes: readonly string[];
}

/** A sign-in to an application of another protocol than CAS. */
export interface ApplicationSignIn {
  readonly protocol: Exclude<ApplicationProtocol, 'cas'>;
  /** By which its registration is found: of `oidc` the client id. */
  readonly application: string;
  /** By which the application finds its own session: of `oidc` the `sid`. */
  readonly sessionIndex: string;
}

/** A live PGT, with its session. */
export interface ProxySession {
  readonly authentication: Authentication;
  /** Undefined for a PGT that was created before its proxy was stored. */
  readonly proxy: ProxyingService | undefined;
}

/** A consumed service ticket, with its session. */
export interface ConsumedTicket {
  /** The TGT or PGT that granted it: the parent of a PGT created from this ticket. */
  readonly grantedBy: GrantingTicketHandle;
  readonly service: string;
  /** Issued with credentials, or the first of a session that is not a browser's. */
  readonly fromNewLogin: boolean;
  /** Without its methods, which no validation tells. */
  readonly authentication: Omit<Authentication, 'methods'>;
  /** The proxies in between, newest first; empty for an ST. */
  readonly proxies: readonly string[];
}

/** A live session. */
export interface SessionDetails {
  readonly handle: GrantingTicketHandle;
  readonly authentication: Authentication;
  /** To the minute. */
  readonly lastUsedAt: Date;
  readonly expiresAt: Date;
  /** It ends only at its hard limit (remember-me). */
  readonly isRemembered: boolean;
}

export interface SessionQuery {
  /** The id of the principal; undefined for all users. */
  readonly principal?: string | undefined;
  readonly limit: number;
  /** The last session of the previous page. */
  readonly after?: { readonly authenticatedAt: Date; readonly handle: string } | undefined;
}

/** The sessions of all users, for operators: a part of the {@link TicketRegistry}. */
export abstract class SessionAdministration {
  /** The last login first. A session whose user logs in again meanwhile moves to the first page. */
  abstract list(query: SessionQuery): Promise<readonly SessionDetails[]>;
  /** Undefined for any other text than the handle of a live session. Does not count as a use. */
  abstract find(handle: string): Promise<SessionDetails | undefined>;
  /**
   * Makes a token by which {@link findByConsoleToken} finds the session; an earlier one is worth nothing any more. Only its
   * hash is stored: a handle is no secret.
   *
   * @returns undefined for any other text than the handle of a live session
   */
  abstract issueConsoleToken(handle: string): Promise<string | undefined>;
  /** The live session of a token; undefined for any other text. Does not count as a use. */
  abstract findByConsoleToken(token: string): Promise<SessionDetails | undefined>;
  /** The applications of a live session that are told when it ends, by protocol and name; none for any other handle. */
  abstract services(handle: GrantingTicketHandle): Promise<readonly SessionService[]>;
  /**
   * Ends a session with its tickets; its services are told.
   * @returns the id of its principal; undefined for any other text than the handle of a session
   */
  abstract end(handle: string): Promise<string | undefined>;
  /** Ends all sessions of a user, but for one. @returns their number */
  abstract endAll(principal: string, except?: GrantingTicketHandle): Promise<number>;
}

/**
 * Stores tickets. Every operation may throw DatabaseError (`DATABASE_UNAVAILABLE`), and is then either done or not done. A
 * ticket whose consumption failed that way may be gone, but is never consumed twice.
 */
export abstract class TicketRegistry {
  abstract readonly sessions: SessionAdministration;
  /** What the end of a session queues, however it ends. */
  abstract readonly logoutQueue: LogoutQueue;
  /** Durable before it returns. */
  abstract createTicketGrantingTicket(
    authentication: Authentication,
    options?: SessionOptions,
  ): Promise<TicketId>;
  /**
   * Replaces the authentication of a session by a later one of the same user, durable before it returns. An earlier one, of a
   * login at the same time, changes nothing. The session keeps its tickets and its hard limit. Counts as a use.
   *
   * @returns false where there is no such live session of this user, or where no session may begin with the authentication
   */
  abstract renewTicketGrantingTicket(
    id: TicketId,
    authentication: Authentication,
  ): Promise<boolean>;
  /**
   * Creates a PGT for a proxy, child of the TGT or PGT of a consumed ticket; undefined where the parent is gone. It lives as
   * long as its session.
   */
  abstract createProxyGrantingTicket(
    parent: GrantingTicketHandle,
    proxy: ProxyingService,
  ): Promise<TicketId | undefined>;
  /** The session of a live TGT. Does not count as a use. */
  abstract findTicketGrantingTicket(id: TicketId): Promise<Authentication | undefined>;
  /** The session of a live PGT. Does not count as a use. */
  abstract findProxyGrantingTicket(id: TicketId): Promise<ProxySession | undefined>;
  /** Checks the TGT, grants the ST and counts the use, in one step. */
  abstract grantServiceTicket(request: ServiceTicketRequest): Promise<Grant>;
  /**
   * Grants a PT against a PGT, as an ST; never a new login.
   * @param lifetime the most milliseconds that it lives; never longer than others do
   */
  abstract grantProxyTicket(
    grantingTicket: TicketId,
    service: string,
    lifetime?: number,
  ): Promise<Grant>;
  /**
   * Consumes an ST or PT: of any number of callers, on any number of nodes, at most one gets it. Undefined where it is
   * unknown, used or expired, or its session is gone; the ticket is used up then too.
   *
   * With `recordsService` it records the service for single logout. When the session ends, however that happens, a logout
   * message for each ticket of each recorded service is queued.
   */
  abstract consume(
    id: TicketId,
    options?: { readonly recordsService?: boolean },
  ): Promise<ConsumedTicket | undefined>;
  /**
   * Records that a session signed in to an application of another protocol, which is to be told of its end as services of
   * {@link consume} are. The same sign-in again changes nothing. Counts as a use of the session.
   *
   * @returns false where there is no such live session
   */
  abstract recordApplication(
    session: GrantingTicketHandle,
    signIn: ApplicationSignIn,
  ): Promise<boolean>;
  /** Counts a use of the session by an application that is not to be told of its end. @returns as {@link recordApplication} */
  abstract countUse(session: GrantingTicketHandle): Promise<boolean>;
  /** Whether a TGT, PGT, ST or PT is live. Neither consumes nor extends it. */
  abstract isLive(id: TicketId): Promise<boolean>;
  /**
   * Destroys a ticket and its descendants. Unknown ids are no error.
   * @returns the id of the principal, where it ended a session
   */
  abstract destroy(id: TicketId): Promise<string | undefined>;
  /** Removes one bounded batch of expired tickets, and one of old logout messages. Any node may call it at any time. */
  abstract clean(): Promise<CleaningReport>;
}

export interface CleaningReport {
  /** Expired sessions removed. */
  readonly sessions: number;
  /** Whether the store of short-lived tickets rotated. */
  readonly rotated: boolean;
}
