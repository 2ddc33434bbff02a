// Validates tickets with SAML 1.1: parse, consume, release attributes, render.
import type { IncomingMessage } from 'node:http';
import { Inject, Injectable } from '@nestjs/common';
import { LiveSettings } from '@tessera/config';
import { randomId } from '@tessera/crypto';
import {
  Answer,
  Form,
  queryText,
  readBody,
  refuseUnlessXml,
  RequestError,
  UNAVAILABLE_HEADERS,
} from '@tessera/server';
import { ServiceTickets, type Assertion } from '@tessera/tickets';
import { isFlagSet, MAX_SERVICE_LENGTH } from '../../protocol-parameters.js';
import type { SsoSettings } from '../../settings.js';
import { FailureStatus } from '../failure-status.js';
import { logFailure } from '../failure-log.js';
import { toFailure } from '../failures.js';
import { releasedAttributes, samlMethodOf } from '../released-attributes.js';
import type { ValidationParameters } from '../validation-request.js';
import { parseSamlRequest } from './saml-request.js';
import { samlFailure, samlSuccess, type ResponseHead } from './saml-response.js';

const TYPE = 'text/xml;charset=UTF-8';
const MAX_BYTES = 65_536;
const ID_LENGTH = 32;

@Injectable()
export class SamlValidator {
  constructor(
    private readonly serviceTickets: ServiceTickets,
    private readonly failureStatus: FailureStatus,
    @Inject(LiveSettings) private readonly settings: LiveSettings<SsoSettings>,
  ) {}

  /** Never throws: every error becomes a response. */
  async answer(request: IncomingMessage): Promise<Answer> {
    let target: string | undefined;
    let requestId: string | undefined;
    let parameters: ValidationParameters | undefined;
    try {
      const query = Form.parse(queryText(request));
      target = query.line('TARGET', MAX_SERVICE_LENGTH);
      const renew = isFlagSet(query.one('renew'));
      refuseUnlessXml(request);
      const saml = parseSamlRequest(await readBody(request, MAX_BYTES));
      ({ requestId } = saml);
      if (!target) throw new RequestError('MALFORMED_REQUEST', 'the parameter TARGET is required');
      parameters = { service: target, ticket: saml.artifact, renew, pgtUrl: undefined };
      const ticket = { ...parameters, acceptsProxyTickets: false };
      const assertion = await this.serviceTickets.validate(ticket);
      const body = this.render(assertion, headOf(target, requestId));
      return new Answer(200, TYPE, body);
    } catch (error) {
      const { code, description } = toFailure(error, parameters);
      const status = this.failureStatus.of(error, target);
      if (status !== 503) logFailure(code, error, parameters);
      const body = samlFailure(headOf(target, requestId), description);
      const headers = status === 503 ? UNAVAILABLE_HEADERS : {};
      return new Answer(status, TYPE, body, headers);
    }
  }

  private render(assertion: Assertion, head: ResponseHead): string {
    const { authenticatedAt, credentialType } = assertion.authentication;
    return samlSuccess(head, {
      ...releasedAttributes(assertion),
      assertionId: newId(),
      issuer: this.settings.current.baseUrl,
      authenticatedAt,
      authenticationMethod: samlMethodOf(credentialType),
    });
  }
}

function headOf(recipient: string | undefined, inResponseTo: string | undefined): ResponseHead {
  return { responseId: newId(), issuedAt: new Date(), recipient, inResponseTo };
}

/** An id in XML begins with a letter or an underscore. */
function newId(): string {
  return `_${randomId(ID_LENGTH)}`;
}
