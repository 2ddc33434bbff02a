// Authenticates the credentials of REST requests; with `renew` they must belong to the user of the session.
import type { IncomingMessage } from 'node:http';
import { Injectable } from '@nestjs/common';
import { loggerFor } from '@tessera/logging';
import { type Authentication, TicketGranting } from '@tessera/tickets';
import { ClientAddresses } from '@tessera/server';
import type { Credential } from '../authentication/authentication-handler.js';
import { Authenticator } from '../authentication/authenticator.js';
import { TicketRequestReader } from './ticket-request-reader.js';

const logger = loggerFor('authentication');

/** A request for a service ticket whose credentials, if required, were accepted. */
export interface CheckedServiceTicketRequest {
  readonly service: string;
  readonly withCredentials: boolean;
}

@Injectable()
export class RestLogin {
  constructor(
    private readonly reader: TicketRequestReader,
    private readonly authenticator: Authenticator,
    private readonly ticketGranting: TicketGranting,
    private readonly addresses: ClientAddresses,
  ) {}

  /**
   * Authenticates a login; undefined where the credentials are refused.
   * @throws RequestError for missing or malformed credentials
   */
  async authenticate(request: IncomingMessage): Promise<Authentication | undefined> {
    return this.check(await this.reader.readCredential(request), request);
  }

  /**
   * Reads a request for a service ticket. With `renew` it must contain credentials of the session's user; undefined
   * where they are refused.
   * @throws RequestError for a malformed request, TicketError GRANTING_TICKET_NOT_FOUND for `renew` without a session
   */
  async readServiceTicketRequest(
    tgt: string,
    request: IncomingMessage,
  ): Promise<CheckedServiceTicketRequest | undefined> {
    const { service, credential } = await this.reader.readServiceTicketForm(request);
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
    const clientAddress = this.addresses.of(request);
    return this.authenticator.authenticate(credential, { clientAddress, entryPoint: 'rest' });
  }
}
