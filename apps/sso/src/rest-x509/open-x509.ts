// Opens module `rest-x509` from its settings. CAs and CRLs are read before any request; the verifier then watches them
// itself, so that a revocation takes effect even if another setting is invalid.
import { CertificateVerifier, isAttributeName, type PrincipalRule } from '@tessera/certificates';
import {
  AddressRanges,
  type ClientAddresses,
  type Expiring,
  type ExpiryWatch,
} from '@tessera/server';
import { valuePattern } from '@tessera/services';
import { SettingsError } from '@tessera/config';
import type { CredentialKind } from '../authentication/credential-extractor.js';
import type { SsoSettings } from '../settings/sso-settings.js';
import type { X509Settings } from '../settings/x509-settings.js';
import { CertificateHandler } from './certificate-handler.js';
import {
  CertificateExtractor,
  type ConnectionCertificateOptions,
} from './certificate-extractor.js';

/**
 * The credential kind of the module; closing its handler closes everything.
 * @throws CertificateError CERTIFICATE_FILES_UNREADABLE, SettingsError for an unknown principal attribute
 */
export async function openX509(
  { x509, applicationName }: Pick<SsoSettings, 'x509' | 'applicationName'>,
  addresses: ClientAddresses,
  expiries: ExpiryWatch,
): Promise<CredentialKind> {
  const handler = await openHandler(x509, applicationName);
  expiries.add(() => expiringOf(handler, x509));
  const extractor = new CertificateExtractor(connectionCertificateOptions(x509), addresses);
  return { extractor, handler };
}

/** Adds the configured warning period to CRLs. */
function expiringOf(handler: CertificateHandler, settings: X509Settings): readonly Expiring[] {
  return handler.expiring.map((entry) =>
    entry.kind === 'crl' ? { ...entry, warnBefore: settings.crlWarning } : entry,
  );
}

function connectionCertificateOptions({
  headerName,
  headerFormat,
  headerProxies,
  tls,
}: X509Settings): ConnectionCertificateOptions {
  return { headerName, headerFormat, headerProxies: AddressRanges.parse(headerProxies), tls };
}

async function openHandler(
  settings: X509Settings,
  applicationName: string,
): Promise<CertificateHandler> {
  const principal = principalRule(settings.principal, applicationName);
  const verifier = await CertificateVerifier.open({
    caFile: { setting: 'sso.rest.x509.ca-file', path: settings.caFile },
    crlFiles: settings.crlFiles.map((path) => ({ setting: 'sso.rest.x509.crl-files', path })),
    crlRequired: settings.crlRequired,
  });
  return new CertificateHandler(verifier, {
    trustedHosts: AddressRanges.parse(settings.trustedHosts),
    subject: valuePattern(settings.subjectPattern),
    issuer: valuePattern(settings.issuerPattern),
    principal,
  });
}

/** Validated here, because the settings do not load the library that has the attribute names. */
function principalRule(setting: string, applicationName: string): PrincipalRule {
  const [, attribute] = /^attribute:(.*)$/.exec(setting) ?? [];
  if (attribute === undefined || isAttributeName(attribute)) return setting as PrincipalRule;
  const hint = 'give a short name such as UID, or an object identifier';
  const message = `no subject has an attribute ${attribute}: ${hint}`;
  throw new SettingsError(applicationName, [{ key: 'sso.rest.x509.principal', message }]);
}
