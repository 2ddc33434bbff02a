// Validates a certificate path at a moment, without policies. `TrustStore` has checked the signatures.
import { CertificateError, type CertificateErrorCode } from './certificate-error.js';
import type { Certificate } from './certificate.js';
import type { GeneralName } from './general-name.js';
import type { NameConstraints } from './name-constraints.js';
import type { KeyUse } from './standard-extensions.js';
import type { CertificatePath } from './trust-store.js';

/**
 * Validates a path. The anchor must meet all rules of an authority, except for the strength of its own
 * signature.
 *
 * @throws CertificateError CERTIFICATE_EXPIRED, CERTIFICATE_NOT_YET_VALID, CERTIFICATE_WEAK,
 *   CERTIFICATE_CONSTRAINTS, CERTIFICATE_NOT_FOR_CLIENTS
 * @see RFC 5280 §6.1
 */
export function validatePath([leaf, ...authorities]: CertificatePath, now: Date): void {
  const constraints: NameConstraints[] = [];
  let authoritiesAllowed = Number.POSITIVE_INFINITY;
  for (const authority of authorities.toReversed()) {
    checkCertificate(authority, now);
    checkAuthority(authority);
    if (!authority.isSelfIssued) {
      checkNames(authority, constraints);
      if (authoritiesAllowed <= 0) {
        throw pathError('CERTIFICATE_CONSTRAINTS', authority, 'exceeds the path length');
      }
      authoritiesAllowed -= 1;
    }
    const { pathLength, nameConstraints } = authority.signed.extensions;
    authoritiesAllowed = Math.min(authoritiesAllowed, pathLength ?? Number.POSITIVE_INFINITY);
    if (nameConstraints !== undefined) constraints.push(nameConstraints);
    const isAnchor = authority === authorities.at(-1);
    if (!isAnchor) checkSignature(authority);
  }
  checkCertificate(leaf, now);
  checkSignature(leaf);
  checkNames(leaf, constraints);
  checkLeaf(leaf);
}

/** Checks a certificate alone: its dates, key, signature scheme and critical extensions. */
export function isValidAt(certificate: Certificate, now: Date): boolean {
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
  if (now < notBefore) throw pathError('CERTIFICATE_NOT_YET_VALID', certificate, 'not yet valid');
  if (now > notAfter) throw pathError('CERTIFICATE_EXPIRED', certificate, 'expired');
  if (!certificate.hasStrongKey) {
    throw pathError('CERTIFICATE_WEAK', certificate, 'the key is weak');
  }
  const [unknown] = extensions.unknownCritical;
  if (unknown !== undefined) {
    throw pathError('CERTIFICATE_CONSTRAINTS', certificate, `critical extension ${unknown}`);
  }
}

function checkSignature(certificate: Certificate): void {
  if (certificate.hasStrongSignature) return;
  throw pathError('CERTIFICATE_WEAK', certificate, 'the signature is weak');
}

function checkAuthority(authority: Certificate): void {
  if (!authority.signed.extensions.isAuthority) {
    throw pathError('CERTIFICATE_CONSTRAINTS', authority, 'not a certificate authority');
  }
  if (!mayUseKey(authority, 'keyCertSign')) {
    throw pathError('CERTIFICATE_CONSTRAINTS', authority, 'may not sign certificates');
  }
  if (!mayIssueForClients(authority)) {
    throw pathError('CERTIFICATE_NOT_FOR_CLIENTS', authority, 'may not issue client certificates');
  }
}

function checkLeaf(leaf: Certificate): void {
  if (!mayUseKey(leaf, 'digitalSignature')) {
    throw pathError('CERTIFICATE_CONSTRAINTS', leaf, 'the key may not sign');
  }
  if (!isForClients(leaf)) {
    throw pathError('CERTIFICATE_NOT_FOR_CLIENTS', leaf, 'not for authenticating clients');
  }
}

function checkNames(certificate: Certificate, constraints: readonly NameConstraints[]): void {
  const names = namesOf(certificate);
  for (const constraint of constraints) constraint.check(names);
}

/**
 * The names that constraints apply to, which include all e-mail addresses in the subject. An address that
 * is not a text becomes empty, and constraints on mailboxes then reject it.
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

function pathError(
  code: CertificateErrorCode,
  { name }: Certificate,
  why: string,
): CertificateError {
  return new CertificateError(code, `${name.slice(0, 200)}: ${why}`);
}

const CLIENT_AUTHENTICATION = '1.3.6.1.5.5.7.3.2';
const ANY_EXTENDED_KEY_USAGE = '2.5.29.37.0';

/** True without the extension. @see RFC 5280 §4.2.1.3 */
function mayUseKey({ signed }: Certificate, use: KeyUse): boolean {
  return signed.extensions.keyUsage?.has(use) ?? true;
}

/**
 * Whether the key may sign revocation lists. Without a key usage, only authorities may.
 *
 * @see RFC 5280 §4.2.1.3, §6.3.3 (f)
 */
export function maySignLists({ signed }: Certificate): boolean {
  const { keyUsage, isAuthority } = signed.extensions;
  return keyUsage?.has('cRLSign') ?? isAuthority;
}

/**
 * Whether the certificate may authenticate a client. True without the extension; "any usage" is not
 * enough.
 *
 * @see RFC 5280 §4.2.1.12
 */
function isForClients({ signed }: Certificate): boolean {
  return signed.extensions.extendedKeyUsage?.includes(CLIENT_AUTHENTICATION) ?? true;
}

/** Whether an authority may issue client certificates. "Any usage" is enough. */
function mayIssueForClients(authority: Certificate): boolean {
  const usages = authority.signed.extensions.extendedKeyUsage;
  return isForClients(authority) || (usages?.includes(ANY_EXTENDED_KEY_USAGE) ?? false);
}
