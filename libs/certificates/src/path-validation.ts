// Decides whether a chain holds at a moment. Signatures have been checked when it was built;
// policies are not asked for.
import type { Certificate } from './certificate.js';
import { CertificateError, type CertificateErrorCode } from './certificate-error.js';
import type { GeneralName } from './general-name.js';
import { isForClients, mayIssueForClients, mayUseKey } from './key-usage.js';
import type { NameConstraints } from './name-constraints.js';
import type { CertificatePath } from './trust-store.js';

/**
 * An anchor is held to all rules of an authority but the strength of the signature on itself.
 *
 * @throws CertificateError CERTIFICATE_EXPIRED, CERTIFICATE_NOT_YET_VALID, CERTIFICATE_WEAK,
 *   CERTIFICATE_CONSTRAINTS, CERTIFICATE_NOT_FOR_CLIENTS
 * @see RFC 5280 §6.1
 */
export function validatePath([leaf, ...authorities]: CertificatePath, now: Date): void {
  const constraints: NameConstraints[] = [];
  let mayFollow = Number.POSITIVE_INFINITY;
  for (const authority of authorities.toReversed()) {
    checkCertificate(authority, now);
    checkAuthority(authority);
    if (!authority.isSelfIssued) {
      checkNames(authority, constraints);
      if (mayFollow <= 0) throw refused('CERTIFICATE_CONSTRAINTS', authority, 'one too many');
      mayFollow -= 1;
    }
    const { pathLength, nameConstraints } = authority.signed.extensions;
    mayFollow = Math.min(mayFollow, pathLength ?? Number.POSITIVE_INFINITY);
    if (nameConstraints !== undefined) constraints.push(nameConstraints);
    const isAnchor = authority === authorities.at(-1);
    if (!isAnchor) checkSignature(authority);
  }
  checkCertificate(leaf, now);
  checkSignature(leaf);
  checkNames(leaf, constraints);
  checkLeaf(leaf);
}

/** Whether a certificate holds by itself: its dates, key, signature scheme and critical extensions. */
export function isSoundAt(certificate: Certificate, now: Date): boolean {
  try {
    checkCertificate(certificate, now);
    checkSignature(certificate);
    return true;
  } catch (error) {
    if (error instanceof CertificateError) return false;
    throw error;
  }
}

function checkCertificate(certificate: Certificate, now: Date): void {
  const { notBefore, notAfter, extensions } = certificate.signed;
  if (now < notBefore) throw refused('CERTIFICATE_NOT_YET_VALID', certificate, 'not yet valid');
  if (now > notAfter) throw refused('CERTIFICATE_EXPIRED', certificate, 'expired');
  if (!certificate.hasStrongKey) throw refused('CERTIFICATE_WEAK', certificate, 'the key is weak');
  const [unknown] = extensions.unknownCritical;
  if (unknown !== undefined) {
    throw refused('CERTIFICATE_CONSTRAINTS', certificate, `critical extension ${unknown}`);
  }
}

function checkSignature(certificate: Certificate): void {
  if (certificate.hasStrongSignature) return;
  throw refused('CERTIFICATE_WEAK', certificate, 'the signature is weak');
}

function checkAuthority(authority: Certificate): void {
  if (!authority.signed.extensions.isAuthority) {
    throw refused('CERTIFICATE_CONSTRAINTS', authority, 'no certificate authority');
  }
  if (!mayUseKey(authority, 'keyCertSign')) {
    throw refused('CERTIFICATE_CONSTRAINTS', authority, 'may not sign certificates');
  }
  if (!mayIssueForClients(authority)) {
    throw refused('CERTIFICATE_NOT_FOR_CLIENTS', authority, 'issues none for clients');
  }
}

function checkLeaf(leaf: Certificate): void {
  if (!mayUseKey(leaf, 'digitalSignature')) {
    throw refused('CERTIFICATE_CONSTRAINTS', leaf, 'the key may not sign');
  }
  if (!isForClients(leaf)) {
    throw refused('CERTIFICATE_NOT_FOR_CLIENTS', leaf, 'not for authenticating clients');
  }
}

function checkNames(certificate: Certificate, constraints: readonly NameConstraints[]): void {
  const names = namesOf(certificate);
  for (const constraint of constraints) constraint.check(names);
}

/**
 * E-mail addresses in the subject are held to the constraints as well, wherever they stand. One that is
 * no text becomes an empty one, which no constraint on mailboxes can judge.
 */
function namesOf({ signed }: Certificate): readonly GeneralName[] {
  const { subject, extensions } = signed;
  const emails = subject.attributes().get('emailAddress') ?? [];
  return [
    ...(subject.isEmpty ? [] : [{ form: 'directoryName', name: subject } as const]),
    ...emails.map((text = '') => ({ form: 'rfc822Name', text }) as const),
    ...extensions.alternativeNames,
  ];
}

function refused(code: CertificateErrorCode, { name }: Certificate, why: string): CertificateError {
  return new CertificateError(code, `${name.slice(0, 200)}: ${why}`);
}
