// Validates tickets with SAML 1.1: parse, consume, release attributes, render.
import { Inject, Injectable } from '@nestjs/common';
import { Answer, Form, queryText, readBody, refuseUnlessXml, RequestError } from '@tessera/server';
import { ServiceTickets, type Assertion } from '@tessera/tickets';
import { isFlagSet, MAX_SERVICE_LENGTH } from '../../protocol/protocol-parameters.js';
import type { SsoSettings } from '../../settings/sso-settings.js';
import { releasedAttributes, samlMethodOf } from '../released-attributes.js';
import { parseSamlRequest, type SamlMessage } from './saml-request.js';
import {
  newXmlId,
  type ResponseHead,
  responseHead,
  SAML_TYPE,
  samlSuccess,
} from './saml-response.js';
import { ssoConfig } from '../../settings/namespaces.js';

const MAX_BYTES = 65_536;

@Injectable()
export class SamlValidator {
  constructor(
    private readonly serviceTickets: ServiceTickets,
    @Inject(ssoConfig.KEY) private readonly settings: SsoSettings,
  ) {}

  /** Stores in the request what it has read, for {@link SamlErrorsFilter}. */
  async validate(message: SamlMessage): Promise<Answer> {
    const read: SamlMessage['saml'] = {};
    message.saml = read;
    const query = Form.parse(queryText(message));
    const service = query.line('TARGET', MAX_SERVICE_LENGTH);
    read.service = service;
    const renew = isFlagSet(query.one('renew'));
    refuseUnlessXml(message);
    const { requestId, artifact: ticket } = parseSamlRequest(await readBody(message, MAX_BYTES));
    read.requestId = requestId;
    if (!service) throw new RequestError('MALFORMED_REQUEST', 'the parameter TARGET is required');
    read.parameters = { service, ticket, renew, pgtUrl: undefined };
    const request = { service, ticket, renew, acceptsProxyTickets: false };
    const assertion = await this.serviceTickets.validate(request);
    return new Answer(200, SAML_TYPE, this.render(assertion, responseHead(read)));
  }

  private render(assertion: Assertion, head: ResponseHead): string {
    const { authenticatedAt, credentialType } = assertion.authentication;
    return samlSuccess(head, {
      ...releasedAttributes(assertion, this.settings.defaultAttributes),
      assertionId: newXmlId(),
      issuer: this.settings.baseUrl,
      authenticatedAt,
      authenticationMethod: samlMethodOf(credentialType),
    });
  }
}
