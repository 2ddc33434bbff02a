// Logs failed validations. @see docs/clients.md, "When a validation fails"
import { loggerFor, withoutQuery } from '@tessera/logging';
import { ServiceMismatchError } from '@tessera/tickets';
import type { ValidationParameters } from './validation-request.js';

const logger = loggerFor('validation');

/** Logs why a validation failed, at `debug`. */
export function logFailure(
  code: string,
  error: unknown,
  parameters: ValidationParameters | undefined,
): void {
  if (!logger.isEnabled('debug')) return;
  const isMismatch = error instanceof ServiceMismatchError;
  const details = {
    code,
    ticket: parameters?.ticket,
    service: parameters && withoutQuery(parameters.service),
    issuedFor: isMismatch ? withoutQuery(error.originalService) : undefined,
  };
  logger.debug(details, 'validation failed');
}
