// Validates tickets: parse, consume, release attributes, render. Errors become the protocol's codes and statuses.
import type { IncomingMessage } from 'node:http';
import { Inject, Injectable } from '@nestjs/common';
import { loggerFor } from '@tessera/logging';
import { Answer, type Form, UNAVAILABLE_HEADERS } from '@tessera/server';
import { LiveSettings } from '@tessera/config';
import { ServiceTickets, type Assertion } from '@tessera/tickets';
import type { SsoSettings } from '../settings.js';
import { ProxyCallback } from '../proxy/proxy-callback.js';
import { FailureStatus } from './failure-status.js';
import { logFailure } from './failure-log.js';
import { toFailure } from './failures.js';
import { releasedAttributes } from './released-attributes.js';
import {
  attributesWithoutXmlName,
  cas1,
  xml,
  type Renderer,
  type ValidationSuccess,
} from './renderers.js';
import {
  readFormat,
  readValidationForm,
  readValidationParameters,
  type Endpoint,
  type ValidationParameters,
} from './validation-request.js';

const logger = loggerFor('validation');

@Injectable()
export class Validator {
  constructor(
    private readonly serviceTickets: ServiceTickets,
    private readonly failureStatus: FailureStatus,
    private readonly proxyCallback: ProxyCallback,
    @Inject(LiveSettings) private readonly settings: LiveSettings<SsoSettings>,
  ) {}

  /** Never throws: every error becomes an answer in the caller's format. */
  async answer(endpoint: Endpoint, message: IncomingMessage): Promise<Answer> {
    let renderer: Renderer = endpoint.isCas1 ? cas1 : xml;
    let form: Form | undefined;
    let parameters: ValidationParameters | undefined;
    try {
      form = await readValidationForm(message, this.failureStatus.dialectFor);
      renderer = readFormat(form, endpoint);
      parameters = readValidationParameters(form, endpoint);
      const { service, ticket, renew, pgtUrl } = parameters;
      const { acceptsProxyTickets } = endpoint;
      const request = { service, ticket, renew, acceptsProxyTickets };
      const assertion = await this.serviceTickets.validate(request);
      const pgtIou = pgtUrl && (await this.proxyCallback.deliver(assertion, pgtUrl));
      const body = renderer.success({ ...this.successOf(assertion, endpoint, renderer), pgtIou });
      return new Answer(200, renderer.type, body);
    } catch (error) {
      const failure = toFailure(error, parameters);
      const status = this.failureStatus.of(error, form?.onlyValue('service'));
      if (status !== 503) logFailure(failure.code, error, parameters);
      const headers = status === 503 ? UNAVAILABLE_HEADERS : {};
      return new Answer(status, renderer.type, renderer.failure(failure), headers);
    }
  }

  private successOf(
    assertion: Assertion,
    endpoint: Endpoint,
    renderer: Renderer,
  ): ValidationSuccess {
    const { user, attributes } = releasedAttributes(assertion);
    const carriesAttributes =
      endpoint.attributes === 'always' ||
      (endpoint.attributes === 'by-setting' && this.settings.current.cas2Attributes);
    if (carriesAttributes && renderer === xml) warnOfOmitted(Object.keys(attributes));
    return {
      user,
      attributes: carriesAttributes ? attributes : undefined,
      proxies: assertion.proxies,
    };
  }
}

function warnOfOmitted(names: readonly string[]): void {
  const omitted = attributesWithoutXmlName(names);
  if (omitted.length > 0) {
    logger.warn({ attributes: omitted }, 'attributes without an XML name were left out');
  }
}
