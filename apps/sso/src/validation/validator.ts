// Owns the way of a validation: read, redeem, release, render. Each fault gets the code and the status of the protocol.
import type { IncomingMessage } from 'node:http';
import { Inject, Injectable } from '@nestjs/common';
import { isUnavailable } from '@tessera/database';
import { loggerFor } from '@tessera/logging';
import { type Form, RequestError, UNAVAILABLE_HEADERS, type Answer } from '@tessera/server';
import { ServiceRegistry } from '@tessera/services';
import { LiveSettings } from '@tessera/settings';
import { ServiceTickets, TicketError, type Assertion } from '@tessera/tickets';
import { dialectOf, statusOf } from '../dialect.js';
import type { SsoSettings } from '../settings.js';
import type { Endpoint } from './endpoints.js';
import { toFailure } from './failures.js';
import { releasedTo } from './released-attributes.js';
import { attributesLostInXml, cas1, xml, type Renderer } from './renderers.js';
import type { ValidationSuccess } from './validation-answer.js';
import {
  readFormat,
  readValidationForm,
  readValidationParameters,
  type ValidationParameters,
} from './validation-parameters.js';

const logger = loggerFor('validation');

@Injectable()
export class Validator {
  constructor(
    @Inject(ServiceTickets) private readonly serviceTickets: ServiceTickets,
    @Inject(ServiceRegistry) private readonly services: ServiceRegistry,
    @Inject(LiveSettings) private readonly settings: LiveSettings<SsoSettings>,
  ) {}

  /** Never throws: every fault is an answer in the caller's format. */
  async answer(endpoint: Endpoint, request: IncomingMessage): Promise<Answer> {
    let renderer: Renderer = endpoint.isCas1 ? cas1 : xml;
    let form: Form | undefined;
    let parameters: ValidationParameters | undefined;
    try {
      form = await readValidationForm(request);
      renderer = readFormat(form, endpoint);
      parameters = readValidationParameters(form);
      const assertion = await this.serviceTickets.validate({
        ...parameters,
        acceptsProxyTickets: endpoint.acceptsProxyTickets,
      });
      const body = renderer.success(this.successOf(assertion, endpoint, renderer));
      return { status: 200, type: renderer.type, body };
    } catch (error) {
      const failure = toFailure(error, parameters);
      const status = this.statusOf(error, form?.onlyValue('service'));
      const answer = { status, type: renderer.type, body: renderer.failure(failure) };
      return status === 503 ? { ...answer, headers: UNAVAILABLE_HEADERS } : answer;
    }
  }

  private successOf(
    assertion: Assertion,
    endpoint: Endpoint,
    renderer: Renderer,
  ): ValidationSuccess {
    const { user, attributes } = releasedTo(assertion);
    const carriesAttributes =
      endpoint.attributes === 'always' ||
      (endpoint.attributes === 'by-setting' && this.settings.current.cas2Attributes);
    if (carriesAttributes && renderer === xml) warnOfLost(Object.keys(attributes));
    return {
      user,
      attributes: carriesAttributes ? attributes : undefined,
      proxies: assertion.proxies,
    };
  }

  /** A service's own dialect counts whatever else is wrong with the request: its client meets nothing unforeseen. */
  private statusOf(error: unknown, service: string | undefined): number {
    if (error instanceof RequestError && error.status !== 400) return error.status;
    if (error instanceof RequestError || error instanceof TicketError) {
      const registered = service === undefined ? undefined : this.services.match(service);
      return statusOf('failedValidation', dialectOf(registered, this.settings.current.dialect));
    }
    logger[isUnavailable(error) ? 'warn' : 'error']({ error }, 'validation answered 503');
    return 503;
  }
}

function warnOfLost(names: readonly string[]): void {
  const lost = attributesLostInXml(names);
  if (lost.length > 0) {
    logger.warn({ attributes: lost }, 'attributes without an XML name were left out');
  }
}
