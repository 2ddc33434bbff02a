// The form of `POST /v1/services/add`, and its validation.
import { ValidationPipe } from '@nestjs/common';
import { Transform } from 'class-transformer';
import { IsOptional, Matches, ValidateBy } from 'class-validator';
import { type Form, RequestError } from '@tessera/server';
import { fieldViolation, type ServiceDefinition } from '@tessera/services';

/** The fields that a registration may set. */
export const REGISTRATION_FIELDS = [
  'serviceId',
  'name',
  'description',
  'evaluationOrder',
  'enabled',
  'ssoEnabled',
] as const satisfies (keyof ServiceDefinition)[];
type Field = (typeof REGISTRATION_FIELDS)[number];

/** Keys are in lower case. Form encoders of Python send `True`, those of PHP `1`. */
const BOOLEANS: ReadonlyMap<unknown, boolean> = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
]);
const INTEGER = /^(0|-?[1-9]\d{0,9})$/;
const MAX_QUOTED_NAME = 64;

/** The decorators of a field apply from right to left; the first violation is reported. */
export class RegistrationDto {
  @IsServiceField() @IsPresent() @IsSingle() serviceId!: string;
  @IsServiceField() @IsPresent() @IsSingle() name!: string;
  @IsServiceField() @IsPresent() @IsSingle() description!: string;
  @IsOptional() @IsServiceField() @IsSingle() @ToInteger() evaluationOrder?: number;
  @IsOptional() @IsServiceField() @IsSingle() @ToBoolean() enabled?: boolean;
  @IsOptional() @IsServiceField() @IsSingle() @ToBoolean() ssoEnabled?: boolean;
  /** A misspelt field must not register the service with a default value. */
  @IsEmptyList((name) => `there is no field ${name}`) unknownFields!: readonly string[];
  @IsEmptyList((name) => `${name} must be in the body, not in the query`)
  queryFields!: readonly string[];
}

/** Refuses an invalid form with RequestError MALFORMED_REQUEST: all violations, one on each line. */
export function registrationPipe(): ValidationPipe {
  return new ValidationPipe({
    expectedType: RegistrationDto,
    transform: true,
    exceptionFactory: (errors) => {
      const lines = errors.map(({ property, constraints = {} }) => {
        const [message = ''] = Object.values(constraints);
        return isField(property) ? `${property} ${message}` : message;
      });
      return new RequestError('MALFORMED_REQUEST', lines.join('\n'));
    },
  });
}

/** The input of the pipe. A field that is given several times is a list; an empty optional field is absent. */
export function registrationInput(form: Form, query: Form): Readonly<Record<string, unknown>> {
  const fields = REGISTRATION_FIELDS.map((field): [string, unknown] => {
    if (!form.has(field)) return [field, undefined];
    return [field, form.onlyValue(field) ?? []];
  });
  return {
    ...Object.fromEntries(fields.filter(([, value]) => value !== undefined && value !== '')),
    unknownFields: [...form.except(...REGISTRATION_FIELDS).keys()],
    queryFields: [...query.except().keys()],
  };
}

/** Valid as the field of that name in a service definition. */
function IsServiceField(): PropertyDecorator {
  return ValidateBy({
    name: 'isServiceField',
    validator: {
      validate: (value, args) => reasonOf(args?.property, value) === undefined,
      defaultMessage: (args) => reasonOf(args?.property, args?.value) ?? '',
    },
  });
}

function IsSingle(): PropertyDecorator {
  const validator = {
    validate: (value: unknown) => !Array.isArray(value),
    defaultMessage: () => 'is given more than once',
  };
  return ValidateBy({ name: 'isSingle', validator });
}

function IsPresent(): PropertyDecorator {
  return Matches(/\S/, { message: 'is missing' });
}

/** @param messageOf a line for each name in the list */
function IsEmptyList(messageOf: (name: string) => string): PropertyDecorator {
  return ValidateBy({
    name: 'isEmptyList',
    validator: {
      validate: (value) => namesIn(value).length === 0,
      defaultMessage: (args) =>
        namesIn(args?.value)
          .map((name) => messageOf(quoted(name)))
          .join('\n'),
    },
  });
}

function namesIn(value: unknown): readonly string[] {
  return value as readonly string[];
}

function ToInteger(): PropertyDecorator {
  return Transform(({ value }: { value: unknown }) =>
    typeof value === 'string' && INTEGER.test(value) ? Number(value) : value,
  );
}

function ToBoolean(): PropertyDecorator {
  return Transform(({ value }: { value: unknown }) =>
    typeof value === 'string' ? (BOOLEANS.get(value.toLowerCase()) ?? value) : value,
  );
}

function reasonOf(property: string | undefined, value: unknown): string | undefined {
  return property !== undefined && isField(property) ? fieldViolation(property, value) : undefined;
}

function isField(property: string): property is Field {
  return REGISTRATION_FIELDS.some((field) => field === property);
}

/** Escapes and shortens a field name, which may be any text. */
function quoted(name: string): string {
  return `"${encodeURIComponent(name.slice(0, MAX_QUOTED_NAME).toWellFormed())}"`;
}
