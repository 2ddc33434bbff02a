// Parses the parameters of /login.
import type { IncomingMessage } from 'node:http';
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { Form, queryText, RequestError } from '@tessera/server';
import { isFlagSet, MAX_SERVICE_LENGTH } from '../protocol/protocol-parameters.js';

/** @see CAS 3.0 §2.1.1 */
export interface LoginRequest {
  readonly service: string | undefined;
  /** The id of an authorization request that waits for the sign-in. */
  readonly interaction: string | undefined;
  /** The parameter that carries the ticket: `SAMLart` where the request has `TARGET` instead of `service`. */
  readonly ticketParameter: 'ticket' | 'SAMLart';
  /** Requires credentials, even in a session. */
  readonly renew: boolean;
  /** Requires that nothing is shown: without a session, the browser goes back without a ticket. */
  readonly gateway: boolean;
  /** Whether this choice of the form is made already. A link makes no session longer: `rememberMe` is the user's own. */
  readonly warn: boolean;
  /** Whether the browser posts the ticket to the service. Undefined where its registration says so. */
  readonly isPost: boolean | undefined;
}

export const NEW_PASSWORD_FIELDS = ['currentPassword', 'newPassword', 'repeatedPassword'] as const;
export const CREDENTIAL_FIELDS = ['username', 'password', ...NEW_PASSWORD_FIELDS];

const MAX_INTERACTION_LENGTH = 64;

/** The {@link LoginRequest} in the query. Its errors come before those of the body. */
export const LoginQuery: () => ParameterDecorator = createParamDecorator(
  (_: unknown, context: ExecutionContext) => {
    const request = context.switchToHttp().getRequest<IncomingMessage>();
    return readLoginRequest(Form.parse(queryText(request)));
  },
);

/** @throws RequestError MALFORMED_REQUEST */
function readLoginRequest(query: Form): LoginRequest {
  for (const name of CREDENTIAL_FIELDS.filter((each) => query.has(each))) {
    throw new RequestError('MALFORMED_REQUEST', `${name} must be in the body, not in the query`);
  }
  const service = query.line('service', MAX_SERVICE_LENGTH);
  const target = query.line('TARGET', MAX_SERVICE_LENGTH);
  const method = query.one('method');
  const renew = isFlagSet(query.one('renew'));
  return {
    service: service || target || undefined,
    interaction: query.line('interaction', MAX_INTERACTION_LENGTH) || undefined,
    ticketParameter: !service && target ? 'SAMLart' : 'ticket',
    renew,
    gateway: !renew && isFlagSet(query.one('gateway')),
    warn: isFlagSet(query.one('warn')),
    isPost: method ? method.toUpperCase() === 'POST' : undefined,
  };
}
