// Users in the input of operators. The rules of names and attributes are those of the accounts.
import { Transform } from 'class-transformer';
import { IsBoolean, IsOptional, IsString, MaxLength, MinLength, ValidateBy } from 'class-validator';
import type { AccountAttributes } from '@tessera/accounts';
import { EXPIRY_RULE, parseExpiry } from '@tessera/runtime';
import { Optional } from '../input.js';

const MAX_PASSWORD = 1_000;

class AccountFields {
  /** The values of each attribute; an empty list removes it. */
  @Optional() @IsAttributes() attributes?: AccountAttributes;
  @Optional() @IsBoolean() disabled?: boolean;
  /** Null for never. */
  @IsOptional() @ToDate() @IsExpiry() expiresAt?: Date | null;
}

/** Only what is given is changed. */
export class AccountEdit extends AccountFields {
  @Optional() @IsString() @MinLength(1) @MaxLength(MAX_PASSWORD) password?: string;
}

export class AccountAddition extends AccountFields {
  @IsString() @MaxLength(1_000) name!: string;
  @IsString() @MinLength(1) @MaxLength(MAX_PASSWORD) password!: string;
}

function IsAttributes(): PropertyDecorator {
  const isList = (value: unknown): boolean =>
    Array.isArray(value) && value.every((each) => typeof each === 'string');
  return ValidateBy({
    name: 'isAttributes',
    validator: {
      validate: (value: unknown) =>
        typeof value === 'object' &&
        value !== null &&
        !Array.isArray(value) &&
        Object.values(value).every(isList),
      defaultMessage: () => 'must have a list of texts for each name',
    },
  });
}

/** The time that a text names; a text that names none stays as it is. */
function ToDate(): PropertyDecorator {
  return Transform(({ value }: { value: unknown }) =>
    typeof value === 'string' && value !== 'never' ? (parseExpiry(value) ?? value) : value,
  );
}

function IsExpiry(): PropertyDecorator {
  return ValidateBy({
    name: 'isExpiry',
    validator: {
      validate: (value: unknown) => value instanceof Date,
      defaultMessage: () => `must be null, or ${EXPIRY_RULE.replace(', or never', '')}`,
    },
  });
}
