// Accepts users by certificates: whose word counts, whether the certificate is good, whom it names.
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

export interface CertificateHandlerOptions {
  /** Hosts whose word is taken that a certificate is theirs, or their user's. */
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

  /** A certificate in a form is a claim, whose holder has shown no key: only trusted hosts may make it. */
  authenticate(credential: X509CertificateCredential): Promise<Verdict> {
    const { certificate, source, presentedBy } = credential;
    if (source === 'form' && !this.options.trustedHosts.contains(presentedBy)) {
      return Promise.resolve({ refused: 'host not trusted' });
    }
    return Promise.resolve(this.judge(certificate));
  }

  /** The authorities and lists in force that expire. */
  get expiring(): readonly ExpiringEntry[] {
    return this.verifier.expiring;
  }

  close(): Promise<void> {
    return this.verifier.close();
  }

  private judge(certificate: Uint8Array): Verdict {
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
    // The rules and the one spelling of accounts' names, so that a user is the same by password and by certificate.
    const id = accountName(principalOf(verified, principal) ?? '');
    return id === undefined
      ? { refused: 'certificate names no principal' }
      : { accepted: { id, attributes: attributesOf(verified) } };
  }
}

/** What services may be told of the user, by the names that existing servers use. */
function attributesOf(certificate: VerifiedCertificate): Attributes {
  return {
    subjectDn: [certificate.subject],
    issuerDn: [certificate.issuer],
    serialNumber: [certificate.serialNumber],
    ...(certificate.emails.length > 0 && { x509Rfc822Email: certificate.emails }),
    ...(certificate.principalNames.length > 0 && { x509subjectUPN: certificate.principalNames }),
  };
}
