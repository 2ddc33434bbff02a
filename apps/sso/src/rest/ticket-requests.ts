// Owns what a REST ticket request must carry: forms and paths become typed requests here, once.
import type { IncomingMessage } from 'node:http';
import { Form, queryText, readForm, RequestError } from '@tessera/server';
import type { UsernamePasswordCredential } from '../authentication/authentication-handler.js';
import { meansRenew } from '../renew-parameter.js';
import { LONGEST_SERVICE } from '../service-parameter.js';

const LONGEST_USERNAME = 255;

export interface ServiceTicketForm {
  readonly service: string;
  /** Set where `renew` asks for credentials in this very request. */
  readonly credential: UsernamePasswordCredential | undefined;
}

/**
 * @throws RequestError naming each field that is missing or malformed; credentials in the query are refused, because
 *   queries end up in logs
 */
export async function readCredential(
  request: IncomingMessage,
): Promise<UsernamePasswordCredential> {
  const form = await readForm(request);
  refuseCredentialInQuery(request);
  return credentialIn(form);
}

/** @throws RequestError as above; `targetService` stands in where `service` is absent */
export async function readServiceTicketForm(request: IncomingMessage): Promise<ServiceTicketForm> {
  const form = await readForm(request);
  refuseCredentialInQuery(request);
  const target = form.line('targetService', LONGEST_SERVICE);
  const service = form.line('service', LONGEST_SERVICE) ?? target;
  if (!service) throw missing('service');
  return { service, credential: meansRenew(form.one('renew')) ? credentialIn(form) : undefined };
}

function refuseCredentialInQuery(request: IncomingMessage): void {
  const query = Form.parse(queryText(request));
  for (const name of ['username', 'password']) {
    if (query.has(name)) {
      throw new RequestError('MALFORMED_REQUEST', `${name} must be in the body, not in the query`);
    }
  }
}

function credentialIn(form: Form): UsernamePasswordCredential {
  const username = form.line('username', LONGEST_USERNAME);
  const password = form.one('password');
  if (!username || !password) {
    throw missing(
      ...[!username && 'username', !password && 'password'].filter((name) => name !== false),
    );
  }
  return {
    type: 'UsernamePasswordCredential',
    username,
    password,
    form: form.except('username', 'password'),
  };
}

function missing(...names: readonly string[]): RequestError {
  return new RequestError('MALFORMED_REQUEST', `missing: ${names.join(', ')}`);
}
