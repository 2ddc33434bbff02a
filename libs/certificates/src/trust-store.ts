// Builds certificate chains from the authorities of the bundle.
import type { Certificate } from './certificate.js';
import type { DistinguishedName } from './distinguished-name.js';

/** Authorities that certify each other can form very many paths. */
const MAX_PATHS = 256;
/** Client and anchor included. */
const MAX_CHAIN_LENGTH = 8;

/** A chain: the certificate of the client first, a trust anchor last. */
export type CertificatePath = readonly [leaf: Certificate, ...authorities: Certificate[]];

/** The authorities of the bundle. The self-signed ones are the trust anchors. */
export class TrustStore {
  /** By the encoding of the subject, for chains. */
  private readonly byEncoding: ReadonlyMap<string, readonly Certificate[]>;
  /** By the value of the subject, for revocation lists. */
  private readonly byName: ReadonlyMap<string, readonly Certificate[]>;
  /** Computed once, because the bundle does not change. */
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

  /** The authorities with this name in any encoding. */
  authoritiesNamed({ comparable }: DistinguishedName): readonly Certificate[] {
    return this.byName.get(comparable) ?? [];
  }

  /** The anchors of all chains from certificates with the name and key of `authority`. */
  anchorsOf(authority: Certificate): ReadonlySet<Certificate> {
    const reachable = new Set([authority]);
    // A Set also iterates over elements added during the loop.
    for (const certificate of reachable) {
      const named = this.authoritiesNamed(certificate.signed.subject);
      for (const other of named) if (other.hasSameKeyAs(certificate)) reachable.add(other);
      for (const issuer of this.issuersOfAuthorities.get(certificate) ?? []) reachable.add(issuer);
    }
    return new Set([...reachable].filter((certificate) => this.anchors.has(certificate)));
  }

  /**
   * The paths from a certificate to an anchor, the shortest first. They match in names, key identifiers and
   * signatures, have no subject and key twice and at most eight certificates; nothing else is checked.
   */
  *paths(leaf: Certificate): Generator<CertificatePath> {
    const found: CertificatePath[] = [[leaf]];
    for (const [tries, path] of found.entries()) {
      const last = path.at(-1) ?? leaf;
      if (this.anchors.has(last)) yield path;
      else if (path.length < MAX_CHAIN_LENGTH) found.push(...this.longerPaths(path, last));
      if (tries === MAX_PATHS) return;
    }
  }

  private longerPaths(path: CertificatePath, last: Certificate): readonly CertificatePath[] {
    const issuers = this.issuersOfAuthorities.get(last) ?? this.findIssuers(last);
    // Not compared by bytes: anybody can re-encode the signature of an ECDSA certificate.
    return issuers
      .filter((issuer) => !path.some((certificate) => certificate.hasSameHolderAs(issuer)))
      .map((issuer) => [...path, issuer] as const);
  }

  private findIssuers(certificate: Certificate): readonly Certificate[] {
    const named = this.byEncoding.get(certificate.signed.issuer.encoding) ?? [];
    return named.filter((authority) => certificate.isIssuedBy(authority));
  }
}
