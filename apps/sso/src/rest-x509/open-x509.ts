// Opens module `rest-x509` from its settings, and reopens it when they change. CAs and CRLs are read before any request.
import { CertificateVerifier, isAttributeName, type PrincipalRule } from '@tessera/certificates';
import {
  AddressRanges,
  type ClientAddresses,
  type Expiring,
  type ExpiryWatch,
} from '@tessera/server';
import { valuePattern } from '@tessera/services';
import { SettingsError, type LiveSettings } from '@tessera/config';
import type { CredentialKind } from '../authentication/credential-extractor.js';
import { ReloadableHandler } from '../authentication/reloadable-handler.js';
import type { SsoSettings } from '../settings.js';
import type { X509Settings } from '../settings/x509-settings.js';
import { warnAboutSettings } from '../settings-warnings.js';
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
  live: LiveSettings<SsoSettings>,
  addresses: ClientAddresses,
  expiries: ExpiryWatch,
): Promise<CredentialKind> {
  warnAboutSettings(
    live,
    ({ x509 }) => x509.trustedHosts.length === 0 && x509.headerName === '' && !x509.tls,
    'module rest-x509 accepts no certificate: set trusted hosts, a header, or tls',
  );
  const of = ({ x509 }: SsoSettings): X509Settings => x509;
  const make = (part: X509Settings, { applicationName }: SsoSettings) =>
    openHandler(part, applicationName);
  const connectionOptions = await live.derive({ of, make: connectionCertificateOptions });
  const handler = await ReloadableHandler.open(live, { of, make, files: filesOf });
  expiries.add(() => expiringOf(handler.current, live.current.x509));
  return { extractor: new CertificateExtractor(() => connectionOptions.value, addresses), handler };
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

/**
 * A reload reads all files and is refused if one is invalid. The verifier also watches them itself, so that a revocation
 * takes effect even if another setting is invalid.
 */
function filesOf({ caFile, crlFiles }: X509Settings): readonly string[] {
  return [caFile, ...crlFiles];
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
