// Maps errors to validation failures; the contract fixes their texts. @see docs/errors.md
import { Inject, Injectable } from '@nestjs/common';
import { isUnavailable } from '@tessera/database';
import { loggerFor, withoutQuery } from '@tessera/logging';
import { RequestError, UNAVAILABLE_HEADERS } from '@tessera/server';
import { ServiceRegistry } from '@tessera/services';
import { ServiceMismatchError, TicketError } from '@tessera/tickets';
import { type Dialect, dialectOf, statusOf } from '../protocol/dialect.js';
import { ProxyError } from '../proxy/errors.js';
import type { SsoSettings } from '../settings/sso-settings.js';
import type { ValidationFailure } from './renderers.js';
import type { ValidationParameters } from './validation-request.js';
import { ssoConfig } from '../settings/namespaces.js';

const logger = loggerFor('validation');

/** The failure of a validation, and how it is answered. */
export interface AnsweredFailure extends ValidationFailure {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
}

@Injectable()
export class ValidationFailures {
  constructor(
    private readonly services: ServiceRegistry,
    @Inject(ssoConfig.KEY) private readonly settings: SsoSettings,
  ) {}

  /**
   * Uses the dialect of the service for every failure, because its client expects it. An error of the server has status
   * 503, and is logged. Other failures are logged at `debug`. @see docs/clients.md, "When a validation fails"
   *
   * @param parameters undefined where they are not read yet
   */
  of(
    error: unknown,
    service: string | undefined,
    parameters: ValidationParameters | undefined,
  ): AnsweredFailure {
    const failure = toFailure(error, parameters);
    if (!isFailure(error)) {
      logger[isUnavailable(error) ? 'warn' : 'error']({ error }, 'validation answered 503');
      return { ...failure, status: 503, headers: UNAVAILABLE_HEADERS };
    }
    if (logger.isEnabled('debug')) logFailure(failure.code, error, parameters);
    const isOfEntity = error instanceof RequestError && error.status !== 400;
    const status = isOfEntity
      ? error.status
      : statusOf('failedValidation', this.dialectFor(service));
    return { ...failure, status };
  }

  /** The dialect of the service, or else that of the server. */
  readonly dialectFor = (service: string | undefined): Dialect => {
    const registered = service === undefined ? undefined : this.services.match(service);
    return dialectOf(registered, this.settings.dialect);
  };
}

/** Whether the request is at fault, and not the server. */
function isFailure(error: unknown): boolean {
  return [RequestError, TicketError, ProxyError].some((kind) => error instanceof kind);
}

function logFailure(
  code: string,
  error: unknown,
  parameters: ValidationParameters | undefined,
): void {
  const isMismatch = error instanceof ServiceMismatchError;
  const details = {
    code,
    ticket: parameters?.ticket,
    service: parameters && withoutQuery(parameters.service),
    issuedFor: isMismatch ? withoutQuery(error.originalService) : undefined,
  };
  logger.debug(details, 'validation failed');
}

/** An error that the caller did not cause is INTERNAL_ERROR without details. */
function toFailure(
  error: unknown,
  parameters: ValidationParameters | undefined,
): ValidationFailure {
  if (error instanceof RequestError) return { code: 'INVALID_REQUEST', description: error.message };
  if (error instanceof ProxyError) return { code: error.code, description: error.message };
  if (error instanceof ServiceMismatchError && parameters) {
    return {
      code: 'INVALID_SERVICE',
      description:
        `Ticket '${parameters.ticket}' does not match supplied service. The original service was ` +
        `'${error.originalService}' and the supplied service was '${parameters.service}'.`,
    };
  }
  if (error instanceof TicketError && parameters) return ticketFailure(error, parameters);
  return { code: 'INTERNAL_ERROR', description: 'The service is temporarily unavailable' };
}

function ticketFailure(
  error: TicketError,
  { ticket, service }: ValidationParameters,
): ValidationFailure {
  switch (error.code) {
    case 'UNAUTHORIZED_SERVICE':
    case 'SERVICE_NOT_AUTHORIZED':
      return {
        code: 'UNAUTHORIZED_SERVICE',
        description: `Service '${service}' is not authorized to use this server`,
      };
    case 'INVALID_TICKET':
    // A ServiceMismatchError has its own answer above; the other codes are those of grants.
    case 'INVALID_SERVICE':
    case 'GRANTING_TICKET_NOT_FOUND':
    case 'NEW_LOGIN_REQUIRED':
      return { code: 'INVALID_TICKET', description: `Ticket '${ticket}' not recognized` };
  }
}
