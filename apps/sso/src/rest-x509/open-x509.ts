// Owns putting module `rest-x509` together from its settings; what it verifies with is read here, before any request.
import { CertificateVerifier, type PrincipalRule } from '@tessera/certificates';
import { AddressRanges, type ClientAddresses } from '@tessera/server';
import { valuePattern } from '@tessera/services';
import type { CredentialKind } from '../authentication/authentication.module.js';
import type { X509Settings } from '../settings/x509-settings.js';
import { CertificateHandler } from './certificate-handler.js';
import { CertificateReader } from './certificate-reader.js';

/**
 * The kind of credential that the module adds; closing its handler closes all of it.
 * @throws CertificateError CERTIFICATE_FILES_UNREADABLE
 */
export async function openX509(
  settings: X509Settings,
  addresses: ClientAddresses,
): Promise<CredentialKind> {
  const { caFile, crlFiles, crlRequired } = settings;
  const verifier = await CertificateVerifier.open({ caFile, crlFiles, crlRequired });
  const handler = new CertificateHandler(verifier, {
    trustedHosts: AddressRanges.parse(settings.trustedHosts),
    subject: valuePattern(settings.subjectPattern),
    issuer: valuePattern(settings.issuerPattern),
    principal: settings.principal as PrincipalRule,
  });
  return { reader: new CertificateReader(settings, addresses), handler };
}
