// Owns what a credential in a REST request is worth: who it belongs to, and whether that is the session's own user.
import type { IncomingMessage } from 'node:http';
import { loggerFor } from '@tessera/logging';
import type { Authentication, TicketGranting } from '@tessera/tickets';
import type { Credential } from '../authentication/authentication-handler.js';
import type { AuthenticationContext, Authenticator } from '../authentication/authenticator.js';
import type { TicketRequests } from './ticket-requests.js';

const logger = loggerFor('authentication');

/** A service ticket asked for in a request whose credentials, if it had to have some, are good. */
export interface ServiceTicketRequest {
  readonly service: string;
  readonly withCredentials: boolean;
}

export class RestLogin {
  constructor(
    private readonly requests: TicketRequests,
    private readonly authenticator: Authenticator,
    private readonly ticketGranting: TicketGranting,
    /** Asked as the credential is handed over. */
    private readonly contextOf: (request: IncomingMessage) => AuthenticationContext,
  ) {}

  /**
   * Who logs in with the request; undefined where the credentials are refused.
   * @throws RequestError where it carries none, or malformed ones
   */
  async authenticate(request: IncomingMessage): Promise<Authentication | undefined> {
    return this.check(await this.requests.readCredential(request), request);
  }

  /**
   * What the request asks of the session. With `renew`, the credentials that come along must be those of the session's
   * own user: undefined where they are refused.
   * @throws RequestError for a malformed request, TicketError GRANTING_TICKET_NOT_FOUND where `renew` meets no session
   */
  async readServiceTicketRequest(
    tgt: string,
    request: IncomingMessage,
  ): Promise<ServiceTicketRequest | undefined> {
    const { service, credential } = await this.requests.readServiceTicketForm(request);
    if (credential === undefined) return { service, withCredentials: false };
    const session = await this.ticketGranting.require(tgt);
    const renewed = await this.check(credential, request);
    if (renewed === undefined) return undefined;
    if (renewed.principal.id === session.principal.id) return { service, withCredentials: true };
    const fields = { session: session.principal.id };
    logger.warn(fields, 'renew with the credentials of another user refused');
    return undefined;
  }

  private check(
    credential: Credential,
    request: IncomingMessage,
  ): Promise<Authentication | undefined> {
    return this.authenticator.authenticate(credential, this.contextOf(request));
  }
}
