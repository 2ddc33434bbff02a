// Which revocation lists speak for which authority, as of one state of the files.
import type { Certificate } from './certificate.js';
import { maySignLists } from './key-usage.js';
import { isSoundAt } from './path-validation.js';
import type { RevocationList } from './revocation-list.js';
import type { TrustStore } from './trust-store.js';

/** A certificate in a chain, with those above it. */
export interface Link {
  readonly certificate: Certificate;
  readonly issuer: Certificate;
  /** The issuer of the issuer; undefined where the issuer is the anchor. */
  readonly above: Certificate | undefined;
}

/**
 * Revocation lists with the certificates that verify them. Below one anchor a name belongs to one
 * authority, whatever its keys; below another anchor it may belong to another authority.
 *
 * @see RFC 5280 §6.3.3 (f)
 */
export class RevocationLists {
  private readonly byIssuer: ReadonlyMap<string, readonly RevocationList[]>;
  /** Certificates of the list's issuer that lead to an anchor and hold the key that signed the list. */
  private readonly signers: ReadonlyMap<RevocationList, readonly Certificate[]>;

  constructor(
    lists: readonly RevocationList[],
    private readonly store: TrustStore,
  ) {
    this.byIssuer = Map.groupBy(lists, ({ issuer }) => issuer.comparable);
    this.signers = new Map(lists.map((list) => [list, this.findSigners(list)]));
  }

  /** Whether the bundle has authorities of the list's issuer, and none of them verifies the list. */
  isUnverified(list: RevocationList): boolean {
    const authorities = this.store.authoritiesNamed(list.issuer);
    return authorities.length > 0 && this.signersOf(list).length === 0;
  }

  /** Whether a certificate's absence from the list never proves anything. */
  isNeverCurrent(list: RevocationList): boolean {
    const mayBeCurrent = list.isComplete && list.nextUpdate !== undefined;
    return !mayBeCurrent || !this.signersOf(list).some(maySignLists);
  }

  /** Whether there is a list of the issuer's name that no authority of that name verifies. */
  hasUnverified(issuer: Certificate): boolean {
    return this.named(issuer).some((list) => this.isUnverified(list));
  }

  /**
   * Whether a list of the issuer names the certificate. Every list of that name below the same anchor
   * revokes: partial and expired ones too, and those of keys that may not sign lists.
   */
  isRevoked({ certificate, issuer }: Omit<Link, 'above'>): boolean {
    return this.named(issuer).some(
      (list) =>
        list.names(certificate.signed.serial) &&
        this.signersOf(list).some((signer) => this.haveSameAnchor(signer, issuer)),
    );
  }

  /** Whether a current and complete list proves by its silence that the certificate is not revoked. */
  hasCurrent(link: Link, now: Date): boolean {
    return this.named(link.issuer).some(
      (list) =>
        list.isComplete &&
        list.isCurrent(now) &&
        this.signersOf(list).some((signer) => this.speaksFor(link, signer, now)),
    );
  }

  /**
   * An issuer signs its lists itself. Another of its keys may sign them too, where one of the two keys
   * directly certified the other.
   */
  private speaksFor({ certificate, issuer, above }: Link, signer: Certificate, now: Date): boolean {
    if (!maySignLists(signer)) return false;
    if (signer === issuer || signer === above) return true;
    return (
      signer.isIssuedBy(issuer) &&
      // A key must not vouch for the certificate that introduces it.
      !signer.hasKeyOf(certificate) &&
      isSoundAt(signer, now) &&
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

  private named({ signed }: Certificate): readonly RevocationList[] {
    return this.byIssuer.get(signed.subject.comparable) ?? [];
  }

  private signersOf(list: RevocationList): readonly Certificate[] {
    return this.signers.get(list) ?? [];
  }
}
