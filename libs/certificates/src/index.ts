// Reads and verifies X.509 client certificates.
export { readCertificate } from './pem.js';
export { isAttributeName } from './attribute-type.js';
export { CertificateError, type CertificateErrorCode } from './certificate-error.js';
export {
  CertificateVerifier,
  type CertificateVerifierOptions,
  type ExpiringEntry,
} from './certificate-verifier.js';
export {
  principalOf,
  type PrincipalRule,
  type VerifiedCertificate,
} from './verified-certificate.js';
export type { SettingsFile } from './watched-file.js';
