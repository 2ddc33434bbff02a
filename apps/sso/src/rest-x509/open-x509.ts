// Owns putting module `rest-x509` together from its settings; what it verifies with is read here, before any request.
import { CertificateVerifier, isAttributeName, type PrincipalRule } from '@tessera/certificates';
import { loggerFor } from '@tessera/logging';
import { AddressRanges, type ClientAddresses } from '@tessera/server';
import { valuePattern } from '@tessera/services';
import type { CredentialKind } from '../authentication/authentication.module.js';
import type { X509Settings } from '../settings/x509-settings.js';
import { CertificateHandler } from './certificate-handler.js';
import { CertificateReader } from './certificate-reader.js';

const logger = loggerFor('sso');

/**
 * The kind of credential that the module adds; closing its handler closes all of it.
 * @throws CertificateError CERTIFICATE_FILES_UNREADABLE, Error where the principal can never be found
 */
export async function openX509(
  settings: X509Settings,
  addresses: ClientAddresses,
): Promise<CredentialKind> {
  warnWhereNobodyCounts(settings);
  const principal = principalRule(settings.principal);
  const verifier = await CertificateVerifier.open({
    caFile: { setting: 'sso.rest.x509.ca-file', path: settings.caFile },
    crlFiles: settings.crlFiles.map((path) => ({ setting: 'sso.rest.x509.crl-files', path })),
    crlRequired: settings.crlRequired,
  });
  const handler = new CertificateHandler(verifier, {
    trustedHosts: AddressRanges.parse(settings.trustedHosts),
    subject: valuePattern(settings.subjectPattern),
    issuer: valuePattern(settings.issuerPattern),
    principal,
  });
  return { reader: new CertificateReader(settings, addresses), handler };
}

function warnWhereNobodyCounts({ trustedHosts, headerName, tls }: X509Settings): void {
  if (trustedHosts.length > 0 || headerName !== '' || tls) return;
  logger.warn({}, 'module rest-x509 believes no certificate: name trusted hosts, a header, or tls');
}

/** What attributes there are is known to the library alone, which is not loaded where settings are checked. */
function principalRule(written: string): PrincipalRule {
  const [, attribute] = /^attribute:(.*)$/.exec(written) ?? [];
  if (attribute === undefined || isAttributeName(attribute)) return written as PrincipalRule;
  const hint = 'give a short name such as UID, or an object identifier';
  throw new Error(`sso.rest.x509.principal: no subject has an attribute ${attribute}: ${hint}`);
}
