// Authenticates X.509 certificates: trusted sources, validation, and the principal.
import { accountName } from '@tessera/accounts';
import {
  CertificateError,
  principalOf,
  type CertificateVerifier,
  type ExpiringEntry,
  type PrincipalRule,
  type VerifiedCertificate,
} from '@tessera/certificates';
import type { AddressRanges } from '@tessera/server';
import type { Attributes, ValuePattern } from '@tessera/services';
import type {
  AuthenticationHandler,
  Credential,
  Verdict,
  X509CertificateCredential,
} from '../authentication/authentication-handler.js';
import type { CertificateAttribute } from '../authentication/certificate-attributes.js';

export interface CertificateHandlerOptions {
  /** Hosts that may send a certificate in a form. */
  readonly trustedHosts: AddressRanges;
  readonly subject: ValuePattern;
  readonly issuer: ValuePattern;
  readonly principal: PrincipalRule;
}

export class CertificateHandler implements AuthenticationHandler<X509CertificateCredential> {
  readonly name = 'x509';

  constructor(
    private readonly verifier: CertificateVerifier,
    private readonly options: CertificateHandlerOptions,
  ) {}

  supports(credential: Credential): boolean {
    return credential.type === 'X509CertificateCredential';
  }

  /** A certificate in a form proves no possession of the key, so only trusted hosts may send one. */
  authenticate(credential: X509CertificateCredential): Promise<Verdict> {
    const { certificate, source, presentedBy } = credential;
    if (source === 'form' && !this.options.trustedHosts.contains(presentedBy)) {
      return Promise.resolve({ refused: 'host not trusted' });
    }
    return Promise.resolve(this.verify(certificate));
  }

  /** The current CAs and CRLs with their expiry. */
  get expiring(): readonly ExpiringEntry[] {
    return this.verifier.expiring;
  }

  close(): Promise<void> {
    return this.verifier.close();
  }

  private verify(certificate: Uint8Array): Verdict {
    let verified: VerifiedCertificate;
    try {
      verified = this.verifier.verify(certificate, new Date());
    } catch (error) {
      if (!(error instanceof CertificateError)) throw error;
      return { refused: `certificate refused: ${error.code}, ${error.message}` };
    }
    const { subject, issuer, principal } = this.options;
    if (!subject.matches(verified.subject)) return { refused: 'subject does not match' };
    if (!issuer.matches(verified.issuer)) return { refused: 'issuer does not match' };
    // Normalised like an account name, so that password and certificate lead to the same user.
    const id = accountName(principalOf(verified, principal) ?? '');
    return id === undefined
      ? { refused: 'certificate names no principal' }
      : { accepted: { id, attributes: attributesOf(verified) } };
  }
}

/** The attributes of the principal; those without a value are absent. */
function attributesOf(certificate: VerifiedCertificate): Attributes {
  const all: Readonly<Record<CertificateAttribute, readonly string[]>> = {
    subjectDn: [certificate.subject],
    issuerDn: [certificate.issuer],
    serialNumber: [certificate.serialNumber],
    x509Rfc822Email: certificate.emails,
    x509subjectUPN: certificate.principalNames,
  };
  return Object.fromEntries(Object.entries(all).filter(([, { length }]) => length > 0));
}
