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

// A name that tells a time, such as passwordExpires or pwdLastSet, is no secret.
const SECRET_PART =
  /passw(?!ord(?:expir|last|chang))|pwd(?!expir|last|chang)|krb(?:5|principal)key/;
const SECRET_WORD = /\bpass(?:phrase|code)?$|hash(?:es)?\d*\b/;
const BETWEEN_WORDS = /[^\p{L}\p{N}]+|(?<=\p{Ll})(?=\p{Lu})/u;
/** As crypt(3), directories and Django write it. A GUID in braces is none. */
const PASSWORD_HASH =
  /^(?:\{(?:CRYPT|ARGON2|BCRYPT|PBKDF2[\w-]*|S?MD5|S?SHA-?\d*)\}\S{13}|\$(?:1|2[abxy]?|5|6|7|y|apr1|argon2i?d?|scrypt|pbkdf2[\w-]*)\$\S{20}|pbkdf2_\w+\$\S{20})/i;

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

/** Why there is no attribute that {@link holdsPassword}; reads on after its name. */
export const NOT_FOR_SERVICES =
  'is named as if it held passwords or their hashes, and services are told attributes';

/** Whether an attribute holds passwords or what is made of them, by the words of its name. */
export function holdsPassword(attribute: string): boolean {
  const words = attribute.split(BETWEEN_WORDS).join(' ').toLowerCase();
  return SECRET_WORD.test(words) || SECRET_PART.test(words.replaceAll(' ', ''));
}

/**
 * What is wrong with these attributes, or nothing. Services are told attributes, so passwords are no
 * attributes; one that was kept before can still be removed, by an empty list. No value is quoted.
 */
export function attributesFault(attributes: AccountAttributes): string | undefined {
  for (const [name, values] of Object.entries(attributes)) {
    if (name.length > MAX_ATTRIBUTE_NAME || accountName(name) === undefined) {
      return `an attribute name must have ${NAME_RULE}`;
    }
    if (values.some((value) => NOT_IN_A_VALUE.test(value))) {
      return `attribute ${name}: a value holds a control character or is not Unicode text`;
    }
    if (values.length > 0 && holdsPassword(name)) {
      return `attribute ${name} ${NOT_FOR_SERVICES}`;
    }
    if (values.some((value) => PASSWORD_HASH.test(value))) {
      return `attribute ${name}: a value is the hash of a password, and services are told attributes`;
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
