// Parses the forms of REST ticket requests.
import type { IncomingMessage } from 'node:http';
import { Inject, Injectable } from '@nestjs/common';
import { Form, queryText, readForm, RequestError } from '@tessera/server';
import type { Credential } from '../authentication/authentication-handler.js';
import {
  CREDENTIAL_EXTRACTORS,
  type CredentialExtractor,
} from '../authentication/credential-extractor.js';
import { isFlagSet, MAX_SERVICE_LENGTH } from '../protocol/protocol-parameters.js';

export interface ServiceTicketForm {
  readonly service: string;
  /** Set if `renew` is set. */
  readonly credential: Credential | undefined;
}

@Injectable()
export class TicketRequestReader {
  /** @param extractors in the order in which they are tried. Modules add to them after the construction. */
  constructor(
    @Inject(CREDENTIAL_EXTRACTORS) private readonly extractors: readonly CredentialExtractor[],
  ) {}

  /**
   * @throws RequestError naming each missing or malformed field. Credentials in the query are refused, because queries
   *   are logged.
   */
  async readCredential(request: IncomingMessage): Promise<Credential> {
    return this.credentialIn(await this.readBody(request), request);
  }

  /** Uses `targetService` if `service` is missing. @throws RequestError as above */
  async readServiceTicketForm(request: IncomingMessage): Promise<ServiceTicketForm> {
    const form = await this.readBody(request);
    const target = form.line('targetService', MAX_SERVICE_LENGTH);
    const service = form.line('service', MAX_SERVICE_LENGTH) ?? target;
    if (!service) throw missing('service');
    const renew = isFlagSet(form.one('renew'));
    return { service, credential: renew ? this.credentialIn(form, request) : undefined };
  }

  private async readBody(request: IncomingMessage): Promise<Form> {
    const form = await readForm(request);
    const query = Form.parse(queryText(request));
    for (const { fields } of this.extractors) {
      const name = fields.find((field) => query.has(field));
      if (name !== undefined) throw malformed(`${name} must be in the body, not in the query`);
    }
    return form;
  }

  private credentialIn(form: Form, request: IncomingMessage): Credential {
    for (const extractor of this.extractors) {
      const credential = extractor.extract(form, request);
      if (credential !== undefined) return credential;
    }
    throw missing(this.extractors.map(({ fields }) => fields.join(', ')).join(', or '));
  }
}

function missing(names: string): RequestError {
  return malformed(`missing: ${names}`);
}

function malformed(message: string): RequestError {
  return new RequestError('MALFORMED_REQUEST', message);
}
