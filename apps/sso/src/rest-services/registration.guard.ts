import type { IncomingMessage } from 'node:http';
import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { AdmissionError, ClientAddresses, Form, queryText, readForm } from '@tessera/server';
import { TicketGranting } from '@tessera/tickets';
import { CurrentPrincipals } from '../authentication/current-principals.js';
import { registrationInput } from './registration.dto.js';
import { type Registrar, ServiceRegistration } from './service-registration.js';

/** A request that the guard has let pass. */
export interface RegistrationRequest extends IncomingMessage {
  readonly params: { readonly tgt: string };
  registrar: Registrar;
  /** Not validated yet. */
  body: unknown;
}

/** Requires the role for registering services, so that other callers get no validation messages. */
@Injectable()
export class RegistrationGuard implements CanActivate {
  constructor(
    private readonly ticketGranting: TicketGranting,
    private readonly registration: ServiceRegistration,
    private readonly addresses: ClientAddresses,
    private readonly principals: CurrentPrincipals,
  ) {}

  /**
   * Reads the form first: an unreadable one is refused for every caller.
   *
   * @throws RequestError for an unreadable form; TicketError for an unknown TGT; AdmissionError for a missing role
   */
  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<RegistrationRequest>();
    const form = await readForm(request);
    request.body = registrationInput(form, Form.parse(queryText(request)));
    const { tgt } = request.params;
    const authentication = await this.ticketGranting.require(tgt);
    const { id } = authentication.principal;
    const principal = (await this.principals.of(authentication)) ?? { id, attributes: {} };
    request.registrar = { principal, session: tgt, clientAddress: this.addresses.of(request) };
    if (this.registration.admits(request.registrar)) return true;
    throw new AdmissionError('CALLER_NOT_ALLOWED', 403, 'Request is not authorized');
  }
}
