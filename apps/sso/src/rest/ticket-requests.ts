// Owns what a REST ticket request must carry: forms and paths become typed requests here, once.
import type { IncomingMessage } from 'node:http';
import { Form, queryText, readForm, RequestError } from '@tessera/server';
import type { Credential } from '../authentication/authentication-handler.js';
import type { CredentialExtractor } from '../authentication/credential-extractor.js';
import { meansRenew } from '../renew-parameter.js';
import { LONGEST_SERVICE } from '../service-parameter.js';

export interface ServiceTicketForm {
  readonly service: string;
  /** Set where `renew` asks for credentials in this very request. */
  readonly credential: Credential | undefined;
}

export class TicketRequests {
  /** @param readers of credentials, in the order in which they are asked */
  constructor(private readonly readers: readonly CredentialExtractor[]) {}

  /**
   * @throws RequestError naming each field that is missing or malformed; credentials in the query are refused, because
   *   queries end up in logs
   */
  async readCredential(request: IncomingMessage): Promise<Credential> {
    return this.credentialIn(await this.readBody(request), request);
  }

  /** @throws RequestError as above; `targetService` stands in where `service` is absent */
  async readServiceTicketForm(request: IncomingMessage): Promise<ServiceTicketForm> {
    const form = await this.readBody(request);
    const target = form.line('targetService', LONGEST_SERVICE);
    const service = form.line('service', LONGEST_SERVICE) ?? target;
    if (!service) throw missing('service');
    const renew = meansRenew(form.one('renew'));
    return { service, credential: renew ? this.credentialIn(form, request) : undefined };
  }

  private async readBody(request: IncomingMessage): Promise<Form> {
    const form = await readForm(request);
    const query = Form.parse(queryText(request));
    for (const name of this.readers.flatMap(({ fields }) => fields)) {
      if (query.has(name)) {
        throw new RequestError(
          'MALFORMED_REQUEST',
          `${name} must be in the body, not in the query`,
        );
      }
    }
    return form;
  }

  private credentialIn(form: Form, request: IncomingMessage): Credential {
    for (const reader of this.readers) {
      const credential = reader.read(form, request);
      if (credential !== undefined) return credential;
    }
    throw missing(this.readers.map(({ fields }) => fields.join(', ')).join(', or '));
  }
}

function missing(names: string): RequestError {
  return new RequestError('MALFORMED_REQUEST', `missing: ${names}`);
}
