// The rules of account names and attributes, for the store and for imports.
import type { AccountAttributes } from './user-account.entity.js';

const MAX_NAME = 255;
const MAX_ATTRIBUTE_NAME = 255;

// Normalising takes quadratic time in a run of combining marks, and anybody can send a name.
const MAX_NORMALISED = 4 * MAX_NAME;

// XML forbids noncharacters: without them, two names could become equal.
const FORBIDDEN_IN_NAME = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Noncharacter_Code_Point}]/u;
// Bidirectional controls, invisible characters, and spaces that look like another: two names could look the same.
const DECEPTIVE_IN_NAME = /[\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]|(?! )\p{Zs}/u;
const OUTER_WHITE_SPACE = /^\s|\s$/u;
// A value may have tabs and line ends, as in a postal address.
const FORBIDDEN_IN_VALUE = /(?![\t\n\r])[\p{Cc}\p{Cs}]/u;

// Names of times, such as passwordExpires or pwdLastSet, are not secret.
const SECRET_PART =
  /passw(?!ord(?:expir|last|chang))|pwd(?!expir|last|chang)|krb(?:5|principal)key/;
const SECRET_WORD = /\bpass(?:phrase|code)?$|hash(?:es)?\d*\b/;
const BETWEEN_WORDS = /[^\p{L}\p{N}]+|(?<=\p{Ll})(?=\p{Lu})/u;
/** In the formats of crypt(3), directories and Django. A GUID in braces does not match. */
const PASSWORD_HASH =
  /^(?:\{(?:CRYPT|ARGON2|BCRYPT|PBKDF2[\w-]*|S?MD5|S?SHA-?\d*)\}\S{13}|\$(?:1|2[abxy]?|5|6|7|y|apr1|argon2i?d?|scrypt|pbkdf2[\w-]*)\$\S{20}|pbkdf2_\w+\$\S{20})/i;

/**
 * The name in the form in which accounts are stored: Unicode NFC.
 *
 * `undefined` for invalid names. A name has 1 to 255 characters, no outer white space, and no control
 * characters, line separators, noncharacters or lone surrogates. It has no invisible characters, none that change the
 * direction of text, and no white space but the plain space.
 */
export function accountName(text: string): string | undefined {
  const name = storedAccountName(text);
  return name === undefined || DECEPTIVE_IN_NAME.test(name) ? undefined : name;
}

/** As {@link accountName}, also for names of accounts that were added when invisible characters were allowed. */
export function storedAccountName(text: string): string | undefined {
  if (text.length > MAX_NORMALISED) {
    return undefined;
  }
  const name = text.normalize('NFC');
  const length = Array.from(name).length;
  const isName =
    length >= 1 &&
    length <= MAX_NAME &&
    !FORBIDDEN_IN_NAME.test(name) &&
    !OUTER_WHITE_SPACE.test(name);
  return isName ? name : undefined;
}

/** The rule of {@link accountName} in words. */
export const NAME_RULE =
  '1 to 255 characters, no control or invisible characters, no white space but plain spaces, and none at the beginning or end';

/** Why attributes with {@link holdsPassword} are rejected, as the end of a sentence after the name. */
export const NOT_FOR_SERVICES =
  'is named as if it held passwords or their hashes, and services receive attributes';

/** Whether the words of an attribute's name suggest passwords or hashes. */
export function holdsPassword(attribute: string): boolean {
  const words = attribute.split(BETWEEN_WORDS).join(' ').toLowerCase();
  return SECRET_WORD.test(words) || SECRET_PART.test(words.replaceAll(' ', ''));
}

/**
 * The first violation in the attributes, or `undefined`. Services receive attributes, so passwords are not
 * allowed. An empty list is, because it removes an attribute. The text quotes no value.
 */
export function attributesViolation(attributes: AccountAttributes): string | undefined {
  for (const [name, values] of Object.entries(attributes)) {
    if (name.length > MAX_ATTRIBUTE_NAME || storedAccountName(name) === undefined) {
      return `an attribute name must have ${NAME_RULE}`;
    }
    if (values.some((value) => FORBIDDEN_IN_VALUE.test(value))) {
      return `attribute ${name}: a value holds a control character or is not Unicode text`;
    }
    if (values.length > 0 && holdsPassword(name)) {
      return `attribute ${name} ${NOT_FOR_SERVICES}`;
    }
    if (values.some((value) => PASSWORD_HASH.test(value))) {
      return `attribute ${name}: a value is the hash of a password, and services receive attributes`;
    }
  }
  return undefined;
}
