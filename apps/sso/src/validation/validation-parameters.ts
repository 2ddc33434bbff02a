// Owns reading a validation request: query, form or both, into parameters that are each there once and well formed.
import type { IncomingMessage } from 'node:http';
import { declaresForm, Form, queryText, readFormText, RequestError } from '@tessera/server';
import { LONGEST_SERVICE } from '../service-parameter.js';
import { meansRenew } from '../renew-parameter.js';
import { cas1, json, xml, type Renderer } from './renderers.js';
import type { Endpoint } from './endpoints.js';

const LONGEST_TICKET = 256;
const REQUIRED = 'service and ticket parameters are both required';

export interface ValidationParameters {
  readonly service: string;
  readonly ticket: string;
  readonly renew: boolean;
}

/** @throws RequestError UNSUPPORTED_MEDIA_TYPE for any declared entity but a form, MALFORMED_REQUEST, BODY_TOO_LARGE */
export async function readValidationForm(request: IncomingMessage): Promise<Form> {
  const hasForm = declaresForm(request);
  const query = queryText(request);
  if (!hasForm || request.method !== 'POST') return Form.parse(query);
  return Form.parse(`${query}&${await readFormText(request)}`);
}

/** @throws RequestError MALFORMED_REQUEST: a parameter that is missing, repeated or malformed */
export function readValidationParameters(form: Form): ValidationParameters {
  const service = form.line('service', LONGEST_SERVICE);
  const ticket = form.line('ticket', LONGEST_TICKET);
  if (!service || !ticket) throw new RequestError('MALFORMED_REQUEST', REQUIRED);
  return { service, ticket, renew: meansRenew(form.one('renew')) };
}

/** @throws RequestError MALFORMED_REQUEST for a format there is not */
export function readFormat(form: Form, endpoint: Endpoint): Renderer {
  if (endpoint.isCas1) return cas1;
  const format = form.one('format')?.toUpperCase() ?? 'XML';
  if (format === 'XML') return xml;
  if (format === 'JSON') return json;
  throw new RequestError('MALFORMED_REQUEST', 'format must be XML or JSON');
}
