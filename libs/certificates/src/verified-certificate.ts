// What a verified certificate says of its subject, in plain values.
import type { Certificate } from './certificate.js';
import type { GeneralName } from './general-name.js';

/** A certificate that was believed, at the time it was verified. */
export interface VerifiedCertificate {
  /** By RFC 4514, the most specific part first: `CN=Jane Doe,O=Example`. */
  readonly subject: string;
  /** As `subject`. */
  readonly issuer: string;
  /** Lower-case hex in pairs, as `openssl x509 -serial` has it in capitals. Unique within an issuer. */
  readonly serialNumber: string;
  /** SHA-256 of the certificate, lower-case hex. */
  readonly fingerprint: string;
  readonly notAfter: Date;
  /** E-mail addresses among the alternative names. */
  readonly emails: readonly string[];
  /** User principal names (of Active Directory) among the alternative names. */
  readonly principalNames: readonly string[];
  /**
   * The subject's attributes by short name (`CN`, `UID`) or, lacking one, object identifier. Undefined
   * stands for a value that is no text.
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
