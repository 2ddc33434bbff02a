// What an account may be called, carry and be limited to; pure checks, shared by store and import.
import type { AccountAttributes } from './user-account.js';

const MAX_NAME = 255;
const MAX_ATTRIBUTE_NAME = 255;

// Normalising takes time in the square of a run of combining marks, and anyone may send a name.
const MAX_NORMALISED = 4 * MAX_NAME;

// Noncharacters have no place in XML: dropped there, they would make two names one.
const NOT_IN_A_NAME = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Noncharacter_Code_Point}]/u;
const WHITE_SPACE_OUTSIDE = /^\s|\s$/u;
// Tab and line ends may stand in a value, such as a postal address.
const NOT_IN_A_VALUE = /(?![\t\n\r])[\p{Cc}\p{Cs}]/u;

const DATE = /^(\d{4}-\d{2}-\d{2})(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?(?:Z|[+-]\d{2}:\d{2}))?$/;

/**
 * The one spelling under which an account of this name is kept: Unicode NFC.
 *
 * `undefined` where no account can have the name: it has 1 to 255 characters, none of them a control
 * character, a line separator, a noncharacter or half a surrogate pair, and no white space at its ends.
 */
export function accountName(text: string): string | undefined {
  if (text.length > MAX_NORMALISED) {
    return undefined;
  }
  const name = text.normalize('NFC');
  const length = Array.from(name).length;
  const isName =
    length >= 1 &&
    length <= MAX_NAME &&
    !NOT_IN_A_NAME.test(name) &&
    !WHITE_SPACE_OUTSIDE.test(name);
  return isName ? name : undefined;
}

/** What {@link accountName} asks for, in words. */
export const NAME_RULE =
  '1 to 255 characters, no control characters, no white space at the beginning or end';

/** What is wrong with these attributes, or nothing. */
export function attributesFault(attributes: AccountAttributes): string | undefined {
  for (const [name, values] of Object.entries(attributes)) {
    if (name.length > MAX_ATTRIBUTE_NAME || accountName(name) === undefined) {
      return `an attribute name must have ${NAME_RULE}`;
    }
    if (values.some((value) => NOT_IN_A_VALUE.test(value))) {
      return `attribute ${name}: a value holds a control character or is not Unicode text`;
    }
  }
  return undefined;
}

/** How {@link parseExpiry} wants it, in words. */
export const EXPIRY_RULE =
  'a date such as 2027-06-30 (from 00:00 UTC on), a time such as 2027-06-30T18:00:00+02:00, or never';

/** The moment from which an account is expired, null for `never`, `undefined` for anything else. */
export function parseExpiry(text: string): Date | null | undefined {
  if (text === 'never') {
    return null;
  }
  const day = DATE.exec(text)?.[1];
  return day !== undefined && isDayOfTheCalendar(day) && !Number.isNaN(Date.parse(text))
    ? new Date(text)
    : undefined;
}

/** `Date` makes the second of March of the thirtieth of February. */
function isDayOfTheCalendar(day: string): boolean {
  const midnight = new Date(`${day}T00:00:00Z`);
  return !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(day);
}
