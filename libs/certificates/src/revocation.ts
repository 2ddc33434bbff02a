// Decides whether the certificates of a chain are revoked.
import type { Certificate } from './certificate.js';
import { CertificateError } from './certificate-error.js';
import type { CertificatePath, TrustStore } from './trust-store.js';

/**
 * Checks all of a chain but its anchor. A list that has run out or is not complete still
 * revokes what it names.
 *
 * @param isRequired whether each issuer must have a current list
 * @throws CertificateError CERTIFICATE_REVOKED, CERTIFICATE_CRL_UNUSABLE
 * @see RFC 5280 §6.3; each authority has to sign its own lists
 */
export function checkRevocation(
  path: CertificatePath,
  store: TrustStore,
  now: Date,
  isRequired: boolean,
): void {
  for (const [place, certificate] of path.entries()) {
    const issuer = path[place + 1];
    if (issuer === undefined) return;
    if (store.listsOf(issuer).some((list) => list.names(certificate.signed.serial))) {
      throw refused('CERTIFICATE_REVOKED', certificate, 'revoked');
    }
    if (isRequired && !store.completeListsOf(issuer).some((list) => list.isCurrent(now))) {
      throw refused('CERTIFICATE_CRL_UNUSABLE', issuer, 'has no current revocation list here');
    }
  }
}

function refused(
  code: 'CERTIFICATE_REVOKED' | 'CERTIFICATE_CRL_UNUSABLE',
  { name }: Certificate,
  why: string,
): CertificateError {
  return new CertificateError(code, `${name.slice(0, 200)}: ${why}`);
}
