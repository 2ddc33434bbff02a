// The settings of module `rest-x509`: sources of certificates, validation, and the principal.
import { Matches } from 'class-validator';
import { addressViolations } from '@tessera/server';
import {
  boolean,
  type Violation,
  duration,
  list,
  oneOf,
  Setting,
  type SettingsGroup,
  text,
} from '@tessera/config';
import { patternViolations } from './setting-rules.js';

const DAY = 86_400_000;

/** The encoding of a certificate in a header: nginx's `$ssl_client_escaped_cert`, or RFC 9440. */
export type CertificateHeaderFormat = 'nginx' | 'rfc9440';
export class X509Settings implements SettingsGroup {
  /** Hosts that may send a certificate in a form; none by default. */
  @Setting('sso.rest.x509.trusted-hosts', list) trustedHosts: readonly string[] = [];
  /** PEM: trusted CAs and intermediates. */
  @Setting('sso.rest.x509.ca-file', text) caFile = '';
  @Setting('sso.rest.x509.crl-files', list) crlFiles: readonly string[] = [];
  /** Whether certificates of a CA without a valid CRL are refused, if there are CRL files. */
  @Setting('sso.rest.x509.crl-required', boolean) crlRequired = true;
  /** How long before the expiry of a CRL the log warns. */
  @Setting('sso.rest.x509.crl-warning', duration) crlWarning = 3 * DAY;
  @Setting('sso.rest.x509.subject-pattern', text) subjectPattern = '.*';
  @Setting('sso.rest.x509.issuer-pattern', text) issuerPattern = '.*';
  /** The part of the certificate that is the principal's id. */
  @Setting('sso.rest.x509.principal', text)
  @Matches(/^(subject-dn|cn|serial-number|email|upn|attribute:[A-Za-z0-9.-]{1,64})$/, {
    message: 'must be subject-dn, cn, serial-number, email, upn or attribute:<name>',
  })
  principal = 'subject-dn';

  /** The header in which a TLS proxy passes on the client certificate; none by default. */
  @Setting('sso.rest.x509.header.name', text)
  @Matches(/^[A-Za-z0-9_-]{0,64}$/, { message: 'must be the name of a header' })
  headerName = '';
  @Setting('sso.rest.x509.header.format', oneOf<CertificateHeaderFormat>('nginx', 'rfc9440'))
  headerFormat: CertificateHeaderFormat = 'nginx';
  /** The proxies that set this header and remove it from incoming requests. */
  @Setting('sso.rest.x509.header.proxies', list) headerProxies: readonly string[] = [];

  /** Whether a client certificate at our own HTTPS listener is a credential. */
  @Setting('sso.rest.x509.tls', boolean) tls = false;

  *check(): Iterable<Violation> {
    yield* addressViolations('sso.rest.x509.trusted-hosts', this.trustedHosts);
    yield* addressViolations('sso.rest.x509.header.proxies', this.headerProxies);
    yield* patternViolations('sso.rest.x509.subject-pattern', this.subjectPattern);
    yield* patternViolations('sso.rest.x509.issuer-pattern', this.issuerPattern);
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
