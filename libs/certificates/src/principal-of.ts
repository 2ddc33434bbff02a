// Which name a verified certificate gives its bearer.
import { attributeTypeNamed } from './attribute-type.js';
import type { VerifiedCertificate } from './verified-certificate.js';

/**
 * Where the name stands: the whole subject, its common name, the serial number (which is unique
 * within one issuer only), the alternative names, or an attribute of the subject by its short name or
 * object identifier, upper and lower case alike.
 */
export type PrincipalRule =
  'subject-dn' | 'cn' | 'serial-number' | 'email' | 'upn' | `attribute:${string}`;

// A name cut off by a NUL somewhere else, or with a line of its own, would be another's.
const NOT_IN_A_NAME = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Noncharacter_Code_Point}]/u;
const WHITE_SPACE_OUTSIDE = /^\s|\s$/u;

/**
 * The name that a rule finds; undefined where there is none, more than one, or one that is no text
 * or has control characters, noncharacters or white space at its ends.
 */
export function principalOf(
  certificate: VerifiedCertificate,
  rule: PrincipalRule,
): string | undefined {
  const [value = '', ...others] = valuesOf(certificate, rule);
  // The text of a subject has escapes for such characters, which hide nothing here.
  const written = rule === 'subject-dn' ? [...certificate.attributes.values()].flat() : [value];
  const isName = value !== '' && others.length === 0 && !WHITE_SPACE_OUTSIDE.test(value);
  return isName && !written.some((text = '') => NOT_IN_A_NAME.test(text)) ? value : undefined;
}

function valuesOf(
  certificate: VerifiedCertificate,
  rule: PrincipalRule,
): readonly (string | undefined)[] {
  switch (rule) {
    case 'subject-dn':
      return [certificate.subject];
    case 'serial-number':
      return [certificate.serialNumber];
    case 'email':
      return certificate.emails;
    case 'upn':
      return certificate.principalNames;
    case 'cn':
      return attribute(certificate, 'CN');
    default:
      return attribute(certificate, rule.slice('attribute:'.length));
  }
}

function attribute(
  { attributes }: VerifiedCertificate,
  name: string,
): readonly (string | undefined)[] {
  return attributes.get(attributeTypeNamed(name) ?? '') ?? [];
}
