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

  /** Lists that no certificate of the bundle issued, or that are not of a kind we can use. */
  get unusableLists(): readonly RevocationList[] {
    const usable = new Set([...this.listsByIssuer.values()].flat());
    return this.lists.filter((list) => !usable.has(list));
  }

  /**
   * The ways from a certificate to an anchor, the shortest first. Names, key identifiers and
   * signatures fit; nothing else is checked.
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

  /** The lists that this authority issued itself. */
  listsOf(issuer: Certificate): readonly RevocationList[] {
    return this.listsByIssuer.get(issuer) ?? [];
  }

  private longerPaths(path: CertificatePath, last: Certificate): readonly CertificatePath[] {
    const known = new Set(path.map(({ fingerprint }) => fingerprint));
    const issuers = this.issuersOfAuthorities.get(last) ?? this.findIssuers(last);
    return issuers
      .filter(({ fingerprint }) => !known.has(fingerprint))
      .map((issuer) => [...path, issuer] as const);
  }

  private findIssuers(certificate: Certificate): readonly Certificate[] {
    const named = this.byName.get(certificate.signed.issuer.encoding) ?? [];
    return named.filter((authority) => certificate.isIssuedBy(authority));
  }

  private findLists(issuer: Certificate): readonly RevocationList[] {
    return this.lists.filter(
      (list) =>
        list.isComplete &&
        list.issuer.encoding === issuer.signed.subject.encoding &&
        mayUseKey(issuer, 'cRLSign') &&
        list.isSignedBy(issuer.publicKey),
    );
  }
}
