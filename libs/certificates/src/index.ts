// Reads and verifies the X.509 certificates of clients.
export { readCertificate } from './armour.js';
export { CertificateError, type CertificateErrorCode } from './certificate-error.js';
export { CertificateVerifier, type CertificateVerifierOptions } from './certificate-verifier.js';
export { principalOf, type PrincipalRule } from './principal-of.js';
export type { VerifiedCertificate } from './verified-certificate.js';
