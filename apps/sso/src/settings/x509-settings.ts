// Owns the settings of module `rest-x509`: who may claim certificates, what makes one good, whom it names.
import { addressComplaints } from '@tessera/server';
import {
  boolean,
  type Violation,
  duration,
  list,
  Live,
  Matches,
  oneOf,
  Setting,
  type SettingsGroup,
  text,
} from '@tessera/settings';
import { patternComplaints } from '../pattern-complaints.js';

const DAY = 86_400_000;

/** How a proxy writes a certificate: as nginx's `$ssl_client_escaped_cert`, or after RFC 9440. */
export type CertificateHeaderFormat = 'nginx' | 'rfc9440';

@Live()
export class X509Settings implements SettingsGroup {
  /** Hosts whose claims are believed; nobody's unless told. */
  @Setting('sso.rest.x509.trusted-hosts', list) trustedHosts: readonly string[] = [];
  /** PEM: the trusted CAs, and intermediates. */
  @Setting('sso.rest.x509.ca-file', text) caFile = '';
  @Setting('sso.rest.x509.crl-files', list) crlFiles: readonly string[] = [];
  /** Whether a CA without a valid CRL refuses what it has issued, once there are CRL files. */
  @Setting('sso.rest.x509.crl-required', boolean) crlRequired = true;
  /** How long before a CRL expires the log warns of it. */
  @Setting('sso.rest.x509.crl-warning', duration) crlWarning = 3 * DAY;
  @Setting('sso.rest.x509.subject-pattern', text) subjectPattern = '.*';
  @Setting('sso.rest.x509.issuer-pattern', text) issuerPattern = '.*';
  /** What of the certificate is the user's name. */
  @Setting('sso.rest.x509.principal', text)
  @Matches(
    /^(subject-dn|cn|serial-number|email|upn|attribute:[A-Za-z0-9.-]{1,64})$/,
    'must be subject-dn, cn, serial-number, email, upn or attribute:<name>',
  )
  principal = 'subject-dn';

  /** The header in which a proxy says which certificate its client has proved; none unless told. */
  @Setting('sso.rest.x509.header.name', text)
  @Matches(/^[A-Za-z0-9_-]{0,64}$/, 'must be the name of a header')
  headerName = '';
  @Setting('sso.rest.x509.header.format', oneOf<CertificateHeaderFormat>('nginx', 'rfc9440'))
  headerFormat: CertificateHeaderFormat = 'nginx';
  /** The proxies that set that header, and take it out of what their clients send. */
  @Setting('sso.rest.x509.header.proxies', list) headerProxies: readonly string[] = [];

  /** Whether the certificate of a client of our own HTTPS listener is a credential. */
  @Setting('sso.rest.x509.tls', boolean) tls = false;

  *check(): Iterable<Violation> {
    yield* addressComplaints('sso.rest.x509.trusted-hosts', this.trustedHosts);
    yield* addressComplaints('sso.rest.x509.header.proxies', this.headerProxies);
    yield* patternComplaints('sso.rest.x509.subject-pattern', this.subjectPattern);
    yield* patternComplaints('sso.rest.x509.issuer-pattern', this.issuerPattern);
    if (this.headerName !== '' && this.headerProxies.length === 0) {
      const message = 'is required where sso.rest.x509.header.name is given';
      yield { key: 'sso.rest.x509.header.proxies', message };
    }
    if (this.headerName === '' && this.headerProxies.length > 0) {
      const message = 'is required where sso.rest.x509.header.proxies is given';
      yield { key: 'sso.rest.x509.header.name', message };
    }
  }
}
