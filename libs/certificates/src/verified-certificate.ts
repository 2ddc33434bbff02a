// The values of a verified certificate, and the user name that a rule takes from it.
import { attributeTypeNamed } from './attribute-type.js';
import type { Certificate } from './certificate.js';
import type { GeneralName } from './general-name.js';

/** A certificate, valid at the time of its verification. */
export interface VerifiedCertificate {
  /** By RFC 4514, the most specific part first: `CN=Jane Doe,O=Example`. */
  readonly subject: string;
  /** In the form of `subject`. */
  readonly issuer: string;
  /** Lower-case hex in pairs, as in `openssl x509 -serial`, which uses capitals. Unique within an issuer. */
  readonly serialNumber: string;
  /** SHA-256 of the certificate, lower-case hex. */
  readonly fingerprint: string;
  readonly notAfter: Date;
  /** E-mail addresses among the alternative names. */
  readonly emails: readonly string[];
  /** User principal names (of Active Directory) among the alternative names. */
  readonly principalNames: readonly string[];
  /**
   * The subject's attributes by short name (`CN`, `UID`) or else object identifier. Undefined stands for a
   * value that is not a text.
   */
  readonly attributes: ReadonlyMap<string, readonly (string | undefined)[]>;
}

export function verifiedCertificate({ fingerprint, signed }: Certificate): VerifiedCertificate {
  const { subject, issuer, serial, notAfter, extensions } = signed;
  return {
    subject: subject.toString(),
    issuer: issuer.toString(),
    serialNumber: serial.replace(/^00(?=.)/, ''),
    fingerprint,
    notAfter,
    emails: texts(extensions.alternativeNames, 'rfc822Name'),
    principalNames: texts(extensions.alternativeNames, 'userPrincipalName'),
    attributes: subject.attributes(),
  };
}

function texts(
  names: readonly GeneralName[],
  form: 'rfc822Name' | 'userPrincipalName',
): readonly string[] {
  return names.flatMap((name) => (name.form === form ? [name.text] : []));
}

/**
 * The source of the user name: the whole subject, its common name, the serial number (unique within one
 * issuer only), an alternative name, or an attribute of the subject. An attribute has its short name or
 * object identifier, case-insensitive.
 */
export type PrincipalRule =
  'subject-dn' | 'cn' | 'serial-number' | 'email' | 'upn' | `attribute:${string}`;

// Other software may cut a name off at a NUL or a line end, which would make it another user's.
const FORBIDDEN_IN_NAME = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Noncharacter_Code_Point}]/u;
const OUTER_WHITE_SPACE = /^\s|\s$/u;

/**
 * The user name by a rule. Undefined for no value, several values, a value that is not a text, and names
 * with control characters, noncharacters or outer white space.
 */
export function principalOf(
  certificate: VerifiedCertificate,
  rule: PrincipalRule,
): string | undefined {
  const [value = '', ...others] = valuesOf(certificate, rule);
  // The text of a subject escapes such characters, so this checks the attributes.
  const values = rule === 'subject-dn' ? [...certificate.attributes.values()].flat() : [value];
  const isName = value !== '' && others.length === 0 && !OUTER_WHITE_SPACE.test(value);
  return isName && !values.some((text = '') => FORBIDDEN_IN_NAME.test(text)) ? value : undefined;
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
