// The validation endpoints, and the parameters of their requests. @see CAS 3.0 §2.4 to §2.8
import type { IncomingMessage } from 'node:http';
import { declaresForm, Form, queryText, readFormText, RequestError } from '@tessera/server';
import type { Dialect } from '../protocol/dialect.js';
import {
  isFlagSet,
  MAX_SERVICE_LENGTH,
  MAX_TICKET_LENGTH,
} from '../protocol/protocol-parameters.js';
import { cas1, json, xml, type Renderer } from './renderers.js';

export interface Endpoint {
  /** CAS 1 answers in two lines of text only. */
  readonly isCas1: boolean;
  readonly acceptsProxyTickets: boolean;
  /** `by-setting`: as `sso.validation.cas2-attributes` says. */
  readonly attributes: 'always' | 'by-setting' | 'never';
}

const CAS1: Endpoint = { isCas1: true, acceptsProxyTickets: false, attributes: 'never' };
const CAS2: Endpoint = { isCas1: false, acceptsProxyTickets: false, attributes: 'by-setting' };
const CAS3: Endpoint = { ...CAS2, attributes: 'always' };

/** By path. The router tries them in this order: the most used come first. */
export const ENDPOINTS: Readonly<Record<string, Endpoint>> = {
  'p3/serviceValidate': CAS3,
  'p3/proxyValidate': { ...CAS3, acceptsProxyTickets: true },
  validate: CAS1,
  serviceValidate: CAS2,
  proxyValidate: { ...CAS2, acceptsProxyTickets: true },
};

const REQUIRED = 'service and ticket parameters are both required';

export interface ValidationParameters {
  readonly service: string;
  readonly ticket: string;
  readonly renew: boolean;
  /** The callback for a PGT. */
  readonly pgtUrl: string | undefined;
}

/** A request, with what has been read of it: an error is answered in the format that it asks for. */
export interface ValidationMessage extends IncomingMessage {
  validation?: {
    renderer: Renderer;
    form?: Form;
    parameters?: ValidationParameters;
  };
}

/**
 * Reads the parameters of the query and of a form. In dialect `apereo` the Content-Type of a GET without an entity is ignored,
 * because some clients send one.
 *
 * @param dialectFor the dialect for a service
 * @throws RequestError UNSUPPORTED_MEDIA_TYPE for an entity other than a form, MALFORMED_REQUEST, BODY_TOO_LARGE
 */
export async function readValidationForm(
  request: IncomingMessage,
  dialectFor: (service: string | undefined) => Dialect,
): Promise<Form> {
  const query = queryText(request);
  if (isGetOfSomeType(request)) {
    const form = Form.parse(query);
    if (dialectFor(form.onlyValue('service')) === 'apereo') return form;
  }
  const hasForm = declaresForm(request);
  if (!hasForm || request.method !== 'POST') return Form.parse(query);
  return Form.parse(`${query}&${await readFormText(request)}`);
}

/** Whether a GET declares a Content-Type without an entity. */
function isGetOfSomeType({ method, headers }: IncomingMessage): boolean {
  if (method !== 'GET' || headers['content-type'] === undefined) return false;
  return headers['transfer-encoding'] === undefined && !Number(headers['content-length'] ?? 0);
}

/** @throws RequestError MALFORMED_REQUEST for a missing, repeated or malformed parameter */
export function readValidationParameters(form: Form, endpoint: Endpoint): ValidationParameters {
  const service = form.line('service', MAX_SERVICE_LENGTH);
  const ticket = form.line('ticket', MAX_TICKET_LENGTH);
  if (!service || !ticket) throw new RequestError('MALFORMED_REQUEST', REQUIRED);
  const renew = isFlagSet(form.one('renew'));
  // The answers of CAS 1 have no place for a PGTIOU.
  const pgtUrl = endpoint.isCas1 ? '' : form.line('pgtUrl', MAX_SERVICE_LENGTH);
  return { service, ticket, renew, pgtUrl: pgtUrl || undefined };
}

/** @throws RequestError MALFORMED_REQUEST for an unknown format */
export function readFormat(form: Form, endpoint: Endpoint): Renderer {
  if (endpoint.isCas1) return cas1;
  const format = form.one('format')?.toUpperCase() ?? 'XML';
  if (format === 'XML') return xml;
  if (format === 'JSON') return json;
  throw new RequestError('MALFORMED_REQUEST', 'format must be XML or JSON');
}
