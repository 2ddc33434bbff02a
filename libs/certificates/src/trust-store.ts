// The certificates of the bundle, and the chains that they form.
import type { Certificate } from './certificate.js';
import type { DistinguishedName } from './distinguished-name.js';

/** Authorities of one name and key that certify each other make many ways. */
const MOST_TRIES = 256;

/** A chain: the certificate of the client first, a trust anchor last. */
export type CertificatePath = readonly [leaf: Certificate, ...authorities: Certificate[]];

/** Finds chains in the certificates of the bundle. Trust anchors are those that signed themselves. */
export class TrustStore {
  /** By the encoding of the subject: what a chain joins. */
  private readonly byEncoding: ReadonlyMap<string, readonly Certificate[]>;
  /** By the value of the subject: what a revocation list names. */
  private readonly byName: ReadonlyMap<string, readonly Certificate[]>;
  /** Who issued the certificates of the bundle never changes. */
  private readonly issuersOfAuthorities = new Map<Certificate, readonly Certificate[]>();
  private readonly anchors: ReadonlySet<Certificate>;

  constructor(authorities: readonly Certificate[]) {
    this.byEncoding = Map.groupBy(authorities, ({ signed }) => signed.subject.encoding);
    this.byName = Map.groupBy(authorities, ({ signed }) => signed.subject.comparable);
    this.anchors = new Set(authorities.filter((authority) => authority.isIssuedBy(authority)));
    for (const authority of authorities) {
      this.issuersOfAuthorities.set(authority, this.findIssuers(authority));
    }
  }

  get anchorCount(): number {
    return this.anchors.size;
  }

  /** The authorities of this name, however it is encoded. */
  authoritiesNamed({ comparable }: DistinguishedName): readonly Certificate[] {
    return this.byName.get(comparable) ?? [];
  }

  /** The anchors of all chains that begin at a certificate with the name and key of `authority`. */
  anchorsOf(authority: Certificate): ReadonlySet<Certificate> {
    const above = new Set([authority]);
    // A set also iterates over what is added to it during the loop.
    for (const certificate of above) {
      const named = this.authoritiesNamed(certificate.signed.subject);
      for (const other of named) if (other.hasKeyOf(certificate)) above.add(other);
      for (const issuer of this.issuersOfAuthorities.get(certificate) ?? []) above.add(issuer);
    }
    return new Set([...above].filter((certificate) => this.anchors.has(certificate)));
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

  private longerPaths(path: CertificatePath, last: Certificate): readonly CertificatePath[] {
    const issuers = this.issuersOfAuthorities.get(last) ?? this.findIssuers(last);
    // Not by the bytes: whoever has an ECDSA certificate can write its signature in another way.
    return issuers
      .filter((issuer) => !path.some((certificate) => certificate.hasHolderOf(issuer)))
      .map((issuer) => [...path, issuer] as const);
  }

  private findIssuers(certificate: Certificate): readonly Certificate[] {
    const named = this.byEncoding.get(certificate.signed.issuer.encoding) ?? [];
    return named.filter((authority) => certificate.isIssuedBy(authority));
  }
}
