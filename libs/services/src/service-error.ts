// The errors of this library. Messages are for administrators and contain no control characters.
import { CodedError } from '@tessera/runtime';

/** Every code a {@link ServiceError} can carry. */
export const SERVICE_ERROR_CODES = [
  'SERVICE_INVALID',
  'SERVICE_NOT_FOUND',
  'CLIENT_EXISTS',
  'SERVICE_FILES_UNREADABLE',
  'SERVICE_FILES_REFUSED',
] as const;

export type ServiceErrorCode = (typeof SERVICE_ERROR_CODES)[number];

/** The base class of this library's errors. Errors of an unavailable database are `DatabaseError`. */
export class ServiceError extends CodedError<ServiceErrorCode> {}

/** A text that is no RE2 pattern. The message may quote the text. */
export class InvalidPatternError extends ServiceError {
  /** @param rule the message without any part of the text */
  constructor(
    readonly rule: string,
    message = rule,
    cause?: unknown,
  ) {
    super('SERVICE_INVALID', message, cause);
  }
}

/** A violation of the rules of one field. */
export interface FieldViolation {
  /** The name of the field, with a dot and a key for one of its entries: `requiredAttributes.memberOf`. */
  readonly field: string;
  /** What the field must be instead, to follow its name. */
  readonly reason: string;
}

/** An invalid definition, with all its violations. */
export class InvalidServiceError extends ServiceError {
  constructor(readonly violations: readonly FieldViolation[]) {
    super(
      'SERVICE_INVALID',
      violations.map(({ field, reason }) => `${field} ${reason}`).join('; '),
    );
  }
}

/** @param clientId any text */
export function clientNotFound(clientId: string): ServiceError {
  return new ServiceError(
    'SERVICE_NOT_FOUND',
    `there is no client ${JSON.stringify(clientId)}: "tessera client list" shows their ids`,
  );
}

export function clientExists(): ServiceError {
  return new ServiceError('CLIENT_EXISTS', 'another service has this client id');
}

/** @param id any text, such as the name of a service in place of its id */
export function serviceNotFound(id: string): ServiceError {
  return new ServiceError(
    'SERVICE_NOT_FOUND',
    `there is no service ${JSON.stringify(id)}: an id is a number that "tessera service list" shows`,
  );
}
