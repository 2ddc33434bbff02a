// The authorities that are believed and their revocation lists, as of one state of the files.
import type { Certificate } from './certificate.js';
import { mayUseKey } from './key-usage.js';
import type { RevocationList } from './revocation-list.js';

/** Authorities of one name and key that certify each other make many ways. */
const MOST_TRIES = 256;

/** A chain: the certificate of the client first, a trust anchor last. */
export type CertificatePath = readonly [leaf: Certificate, ...authorities: Certificate[]];

/** Finds chains in the certificates of the bundle. Trust anchors are those that signed themselves. */
export class TrustStore {
  private readonly byName: ReadonlyMap<string, readonly Certificate[]>;
  /** Who issued the certificates of the bundle never changes. */
  private readonly issuersOfAuthorities = new Map<Certificate, readonly Certificate[]>();
  private readonly anchors: ReadonlySet<Certificate>;
  private readonly listsByIssuer = new Map<Certificate, readonly RevocationList[]>();

  constructor(
    authorities: readonly Certificate[],
    private readonly lists: readonly RevocationList[],
  ) {
    this.byName = Map.groupBy(authorities, ({ signed }) => signed.subject.encoding);
    this.anchors = new Set(authorities.filter((authority) => authority.isIssuedBy(authority)));
    for (const authority of authorities) {
      this.issuersOfAuthorities.set(authority, this.findIssuers(authority));
      this.listsByIssuer.set(authority, this.findLists(authority));
    }
  }

  get anchorCount(): number {
    return this.anchors.size;
  }

  /** Lists that are partial, or that no authority of the bundle signed and may sign. */
  get unusableLists(): readonly RevocationList[] {
    const issuers = [...this.listsByIssuer.keys()];
    const usable = new Set(issuers.flatMap((issuer) => this.completeListsOf(issuer)));
    return this.lists.filter((list) => !usable.has(list));
  }

  /**
   * The ways from a certificate to an anchor, the shortest first. Names, key identifiers and
   * signatures fit, and no holder of a key stands there twice; nothing else is checked.
   *
   * @param mostCertificates in one chain, its two ends included
   */
  *paths(leaf: Certificate, mostCertificates: number): Generator<CertificatePath> {
    const found: CertificatePath[] = [[leaf]];
    for (const [tries, path] of found.entries()) {
      const last = path.at(-1) ?? leaf;
      if (this.anchors.has(last)) yield path;
      else if (path.length < mostCertificates) found.push(...this.longerPaths(path, last));
      if (tries === MOST_TRIES) return;
    }
  }

  /**
   * All lists of the authority's name that its key signed. What they name is revoked, whatever may be
   * missing in them, and whichever of its certificates lets it sign lists: it says so itself.
   */
  listsOf(issuer: Certificate): readonly RevocationList[] {
    return this.listsByIssuer.get(issuer) ?? [];
  }

  /** Those from whose silence it follows that a certificate is good. */
  completeListsOf(issuer: Certificate): readonly RevocationList[] {
    if (!mayUseKey(issuer, 'cRLSign')) return [];
    return this.listsOf(issuer).filter(({ isComplete }) => isComplete);
  }

  private longerPaths(path: CertificatePath, last: Certificate): readonly CertificatePath[] {
    const issuers = this.issuersOfAuthorities.get(last) ?? this.findIssuers(last);
    // Not by the bytes: whoever has an ECDSA certificate can write its signature in another way.
    return issuers
      .filter((issuer) => !path.some((certificate) => certificate.hasHolderOf(issuer)))
      .map((issuer) => [...path, issuer] as const);
  }

  private findIssuers(certificate: Certificate): readonly Certificate[] {
    const named = this.byName.get(certificate.signed.issuer.encoding) ?? [];
    return named.filter((authority) => certificate.isIssuedBy(authority));
  }

  private findLists(issuer: Certificate): readonly RevocationList[] {
    return this.lists.filter(
      (list) =>
        list.issuer.encoding === issuer.signed.subject.encoding &&
        list.isSignedBy(issuer.publicKey),
    );
  }
}
