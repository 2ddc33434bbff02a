// The settings of the HTTPS listener. The files are read at start.
import {
  tlsViolations,
  tlsOptionsOf,
  type TlsFileSettings,
  type TlsOptions,
} from '@tessera/server';
import {
  NeedsRestart,
  oneOf,
  secret,
  Setting,
  text,
  type Violation,
  type Secret,
} from '@tessera/config';

const PREFIX = 'sso.tls';

@NeedsRestart()
export class TlsSettings implements TlsFileSettings {
  /** PEM, with intermediate certificates; empty for plain HTTP. */
  @Setting('sso.tls.certificate-file', text) certificateFile = '';
  @Setting('sso.tls.key-file', text) keyFile = '';
  @Setting('sso.tls.key-passphrase', secret) keyPassphrase: Secret | undefined = undefined;
  /** PEM: CAs whose names are sent to clients, to help them choose a certificate. */
  @Setting('sso.tls.client-ca-file', text) clientCaFile = '';
  /** Whether a client certificate is requested; it is optional. */
  @Setting('sso.tls.client-certificates', oneOf('none', 'request'))
  clientCertificates: 'none' | 'request' = 'none';

  get isOn(): boolean {
    return this.certificateFile !== '';
  }

  /** Undefined for plain HTTP. */
  options(): TlsOptions | undefined {
    return tlsOptionsOf(PREFIX, this);
  }

  check(): Iterable<Violation> {
    return tlsViolations(PREFIX, this);
  }
}
