// Owns the settings of an HTTPS listener of our own, and the rules between them. The files are read at start.
import { tlsComplaints, tlsOptionsOf, type TlsFiles, type TlsOptions } from '@tessera/server';
import { oneOf, secret, Setting, text, type Violation, type Secret } from '@tessera/settings';

const PREFIX = 'sso.tls';

export class TlsSettings implements TlsFiles {
  /** PEM, with the certificates between it and the root; empty for plain HTTP. */
  @Setting('sso.tls.certificate-file', text) certificateFile = '';
  @Setting('sso.tls.key-file', text) keyFile = '';
  @Setting('sso.tls.key-passphrase', secret) keyPassphrase: Secret | undefined = undefined;
  /** PEM: authorities whose names are sent to clients, to help them choose a certificate. */
  @Setting('sso.tls.client-ca-file', text) clientCaFile = '';
  /** Whether clients are asked for a certificate; none has to have one. */
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
    return tlsComplaints(PREFIX, this);
  }
}
