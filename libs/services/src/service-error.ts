// The errors of this library. Messages are for administrators and repeat no control characters.

/** Every code a {@link ServiceError} can carry. */
export const SERVICE_ERROR_CODES = [
  'SERVICE_INVALID',
  'SERVICE_NOT_FOUND',
  'SERVICE_FILES_UNREADABLE',
  'SERVICE_FILES_REFUSED',
] as const;

export type ServiceErrorCode = (typeof SERVICE_ERROR_CODES)[number];

/** What this library throws, besides the errors of an unreachable database: a stable `code`. */
export class ServiceError extends Error {
  override readonly name: string = 'ServiceError';

  constructor(
    readonly code: ServiceErrorCode,
    message: string,
    cause?: unknown,
  ) {
    super(message, cause === undefined ? undefined : { cause });
  }
}

/** A text that is no RE2 pattern. The message may quote it. */
export class InvalidPatternError extends ServiceError {
  override readonly name = 'InvalidPatternError';

  /** @param rule the message without any part of the text */
  constructor(
    readonly rule: string,
    message = rule,
    cause?: unknown,
  ) {
    super('SERVICE_INVALID', message, cause);
  }
}

/** What is wrong with one field of a definition. */
export interface FieldFault {
  /** The field's name, with a dot and a key for an entry of it: `requiredAttributes.memberOf`. */
  readonly field: string;
  /** What the field must be instead; reads on after the name. */
  readonly reason: string;
}

/** A definition that cannot be kept, with every fault it has. */
export class InvalidServiceError extends ServiceError {
  override readonly name = 'InvalidServiceError';

  constructor(readonly faults: readonly FieldFault[]) {
    super('SERVICE_INVALID', faults.map(({ field, reason }) => `${field} ${reason}`).join('; '));
  }
}
