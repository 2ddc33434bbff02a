// Validates tickets: parse, consume, release attributes, render.
import { Inject, Injectable } from '@nestjs/common';
import { loggerFor } from '@tessera/logging';
import { Answer } from '@tessera/server';
import { ServiceTickets, type Assertion } from '@tessera/tickets';
import type { SsoSettings } from '../settings/sso-settings.js';
import { ProxyCallback } from '../proxy/proxy-callback.js';
import { ValidationFailures } from './failures.js';
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
  type ValidationMessage,
} from './validation-request.js';
import { ssoConfig } from '../settings/namespaces.js';

const logger = loggerFor('validation');

@Injectable()
export class Validator {
  constructor(
    private readonly serviceTickets: ServiceTickets,
    private readonly failures: ValidationFailures,
    private readonly proxyCallback: ProxyCallback,
    @Inject(ssoConfig.KEY) private readonly settings: SsoSettings,
  ) {}

  /** Stores in the request what it has read, for {@link ValidationErrorsFilter}. */
  async validate(endpoint: Endpoint, message: ValidationMessage): Promise<Answer> {
    const read: ValidationMessage['validation'] = { renderer: endpoint.isCas1 ? cas1 : xml };
    message.validation = read;
    read.form = await readValidationForm(message, this.failures.dialectFor);
    const renderer = (read.renderer = readFormat(read.form, endpoint));
    read.parameters = readValidationParameters(read.form, endpoint);
    const { service, ticket, renew, pgtUrl } = read.parameters;
    const { acceptsProxyTickets } = endpoint;
    const request = { service, ticket, renew, acceptsProxyTickets };
    const assertion = await this.serviceTickets.validate(request);
    const pgtIou = pgtUrl && (await this.proxyCallback.deliver(assertion, pgtUrl));
    const body = renderer.success({ ...this.successOf(assertion, endpoint, renderer), pgtIou });
    return new Answer(200, renderer.type, body);
  }

  private successOf(
    assertion: Assertion,
    endpoint: Endpoint,
    renderer: Renderer,
  ): ValidationSuccess {
    const { user, attributes } = releasedAttributes(assertion, this.settings.defaultAttributes);
    const mayCarryAttributes =
      endpoint.attributes === 'always' ||
      (endpoint.attributes === 'by-setting' && this.settings.cas2Attributes);
    const carriesAttributes = mayCarryAttributes && Object.keys(attributes).length > 0;
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
