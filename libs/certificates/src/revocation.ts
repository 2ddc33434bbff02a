// Decides whether the certificates of a chain are revoked.
import type { Certificate } from './certificate.js';
import { CertificateError } from './certificate-error.js';
import type { RevocationLists } from './revocation-lists.js';
import type { CertificatePath } from './trust-store.js';

/**
 * Checks all of a chain but its anchor. An issuer with a list that cannot be verified refuses what it
 * issued: the list may revoke it.
 *
 * @param isRequired whether each issuer must have a current list
 * @throws CertificateError CERTIFICATE_REVOKED, CERTIFICATE_CRL_UNUSABLE
 * @see RFC 5280 §6.3
 */
export function checkRevocation(
  path: CertificatePath,
  lists: RevocationLists,
  now: Date,
  isRequired: boolean,
): void {
  for (const [place, certificate] of path.entries()) {
    const issuer = path[place + 1];
    if (issuer === undefined) return;
    const link = { certificate, issuer, above: path[place + 2] };
    if (lists.isRevoked(link)) throw refused('CERTIFICATE_REVOKED', certificate, 'revoked');
    if (lists.hasUnverified(issuer)) {
      const why = 'has a revocation list here that no certificate of ca-file verifies';
      throw refused('CERTIFICATE_CRL_UNUSABLE', issuer, why);
    }
    if (isRequired && !lists.hasCurrent(link, now)) {
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
