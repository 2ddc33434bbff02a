// Owns putting module `rest-x509` together from its settings, and anew when they change; what it verifies with is read
// here, before any request.
import { CertificateVerifier, isAttributeName, type PrincipalRule } from '@tessera/certificates';
import {
  AddressRanges,
  type ClientAddresses,
  type Expiring,
  type ExpiryWatch,
} from '@tessera/server';
import { valuePattern } from '@tessera/services';
import { SettingsError, type LiveSettings } from '@tessera/settings';
import type { CredentialKind } from '../authentication/authentication.module.js';
import { ReloadableHandler } from '../authentication/reloadable-handler.js';
import type { SsoSettings } from '../settings.js';
import type { X509Settings } from '../settings/x509-settings.js';
import { warnAboutSettings } from '../settings-warnings.js';
import { CertificateHandler } from './certificate-handler.js';
import { CertificateReader, type ConnectionCertificates } from './certificate-reader.js';

/**
 * The kind of credential that the module adds; closing its handler closes all of it.
 * @throws CertificateError CERTIFICATE_FILES_UNREADABLE, SettingsError where the principal can never be found
 */
export async function openX509(
  live: LiveSettings<SsoSettings>,
  addresses: ClientAddresses,
  expiries: ExpiryWatch,
): Promise<CredentialKind> {
  warnAboutSettings(
    live,
    ({ x509 }) => x509.trustedHosts.length === 0 && x509.headerName === '' && !x509.tls,
    'module rest-x509 believes no certificate: name trusted hosts, a header, or tls',
  );
  const of = ({ x509 }: SsoSettings): X509Settings => x509;
  const make = (part: X509Settings, { applicationName }: SsoSettings) =>
    openHandler(part, applicationName);
  const connections = await live.derive({ of, make: connectionCertificates });
  const handler = await ReloadableHandler.open(live, { of, make, files: filesOf });
  expiries.add(() => expiringOf(handler.current, live.current.x509));
  return { reader: new CertificateReader(() => connections.value, addresses), handler };
}

/** The log warns of lists as early as the settings in force say. */
function expiringOf(handler: CertificateHandler, settings: X509Settings): readonly Expiring[] {
  return handler.expiring.map((entry) =>
    entry.kind === 'crl' ? { ...entry, warnBefore: settings.crlWarning } : entry,
  );
}

function connectionCertificates({
  headerName,
  headerFormat,
  headerProxies,
  tls,
}: X509Settings): ConnectionCertificates {
  return { headerName, headerFormat, headerProxies: AddressRanges.parse(headerProxies), tls };
}

/**
 * A reload takes them over at once, and refuses the whole set for one that is broken. The verifier looks at them by itself
 * too: a revocation has to count although some other setting is wrong.
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

/** What attributes there are is known to the library alone, which is not loaded where settings are checked. */
function principalRule(written: string, applicationName: string): PrincipalRule {
  const [, attribute] = /^attribute:(.*)$/.exec(written) ?? [];
  if (attribute === undefined || isAttributeName(attribute)) return written as PrincipalRule;
  const hint = 'give a short name such as UID, or an object identifier';
  const message = `no subject has an attribute ${attribute}: ${hint}`;
  throw new SettingsError(applicationName, [{ key: 'sso.rest.x509.principal', message }]);
}
