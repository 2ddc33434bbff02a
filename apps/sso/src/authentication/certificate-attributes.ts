/** The attributes of a user with a certificate, by the names that existing servers use. */
export const CERTIFICATE_ATTRIBUTES = [
  'subjectDn',
  'issuerDn',
  'serialNumber',
  'x509Rfc822Email',
  'x509subjectUPN',
] as const;

export type CertificateAttribute = (typeof CERTIFICATE_ATTRIBUTES)[number];
