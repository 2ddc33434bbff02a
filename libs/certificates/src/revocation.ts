// Revocation checks: which list applies to which authority, and whether it revokes a certificate.
import { CertificateError } from './certificate-error.js';
import type { Certificate } from './certificate.js';
import { isValidAt, maySignLists } from './path-validation.js';
import type { RevocationList } from './revocation-list.js';
import type { CertificatePath, TrustStore } from './trust-store.js';

/**
 * Checks all certificates of a chain but its anchor. Rejects all certificates of an issuer with a list that
 * cannot be verified, because the list may revoke them.
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
    if (lists.isRevoked(link)) throw revocationError('CERTIFICATE_REVOKED', certificate, 'revoked');
    if (lists.hasUnverified(issuer)) {
      const why = 'has a revocation list here that no certificate of ca-file verifies';
      throw revocationError('CERTIFICATE_CRL_UNUSABLE', issuer, why);
    }
    if (isRequired && !lists.hasCurrent(link, now)) {
      throw revocationError(
        'CERTIFICATE_CRL_UNUSABLE',
        issuer,
        'has no current revocation list here',
      );
    }
  }
}

function revocationError(
  code: 'CERTIFICATE_REVOKED' | 'CERTIFICATE_CRL_UNUSABLE',
  { name }: Certificate,
  why: string,
): CertificateError {
  return new CertificateError(code, `${name.slice(0, 200)}: ${why}`);
}

/** A certificate in a chain, with the two above it. */
export interface ChainLink {
  readonly certificate: Certificate;
  readonly issuer: Certificate;
  /** The issuer of the issuer; undefined for an anchor. */
  readonly above: Certificate | undefined;
}

/**
 * Revocation lists and the certificates that verify them. Below one anchor a name means one authority,
 * with any of its keys. Below another anchor the same name may mean another authority.
 *
 * @see RFC 5280 §6.3.3 (f)
 */
export class RevocationLists {
  private readonly byIssuer: ReadonlyMap<string, readonly RevocationList[]>;
  /** Certificates of the list's issuer with the signing key and a chain to an anchor. */
  private readonly signers: ReadonlyMap<RevocationList, readonly Certificate[]>;

  constructor(
    lists: readonly RevocationList[],
    private readonly store: TrustStore,
  ) {
    this.byIssuer = Map.groupBy(lists, ({ issuer }) => issuer.comparable);
    this.signers = new Map(lists.map((list) => [list, this.findSigners(list)]));
  }

  /** Whether the bundle has certificates of the list's issuer but none verifies the list. */
  isUnverified(list: RevocationList): boolean {
    const authorities = this.store.authoritiesNamed(list.issuer);
    return authorities.length > 0 && this.signersOf(list).length === 0;
  }

  /** Whether the list can never prove that a certificate is not revoked. */
  isNeverCurrent(list: RevocationList): boolean {
    const mayBeCurrent = list.isComplete && list.nextUpdate !== undefined;
    return !mayBeCurrent || !this.signersOf(list).some(maySignLists);
  }

  /** Whether a list with the issuer's name cannot be verified. */
  hasUnverified(issuer: Certificate): boolean {
    return this.listsOf(issuer).some((list) => this.isUnverified(list));
  }

  /**
   * Whether a list of the issuer's name below the same anchor contains the certificate. Partial lists,
   * expired lists and lists of keys that may not sign lists count, too.
   */
  isRevoked({ certificate, issuer }: Omit<ChainLink, 'above'>): boolean {
    return this.listsOf(issuer).some(
      (list) =>
        list.includes(certificate.signed.serial) &&
        this.signersOf(list).some((signer) => this.haveSameAnchor(signer, issuer)),
    );
  }

  /** Whether the issuer has a current and complete list, which proves that unlisted certificates are valid. */
  hasCurrent(link: ChainLink, now: Date): boolean {
    return this.listsOf(link.issuer).some(
      (list) =>
        list.isComplete &&
        list.isCurrent(now) &&
        this.signersOf(list).some((signer) => this.isAuthorizedSigner(link, signer, now)),
    );
  }

  /**
   * An issuer signs its own lists. Another key of the issuer may also sign them, where one of the two keys
   * directly certified the other.
   */
  private isAuthorizedSigner(
    { certificate, issuer, above }: ChainLink,
    signer: Certificate,
    now: Date,
  ): boolean {
    if (!maySignLists(signer)) return false;
    if (signer === issuer || signer === above) return true;
    return (
      signer.isIssuedBy(issuer) &&
      // A key must not confirm the certificate that certifies it.
      !signer.hasSameKeyAs(certificate) &&
      isValidAt(signer, now) &&
      !this.isRevoked({ certificate: signer, issuer })
    );
  }

  private haveSameAnchor(one: Certificate, other: Certificate): boolean {
    const anchors = this.store.anchorsOf(other);
    return [...this.store.anchorsOf(one)].some((anchor) => anchors.has(anchor));
  }

  private findSigners(list: RevocationList): readonly Certificate[] {
    return this.store
      .authoritiesNamed(list.issuer)
      .filter((authority) => list.isSignedBy(authority.publicKey))
      .filter((authority) => this.store.anchorsOf(authority).size > 0);
  }

  private listsOf({ signed }: Certificate): readonly RevocationList[] {
    return this.byIssuer.get(signed.subject.comparable) ?? [];
  }

  private signersOf(list: RevocationList): readonly Certificate[] {
    return this.signers.get(list) ?? [];
  }
}
