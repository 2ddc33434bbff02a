// The settings of the HTTPS listener. The files are read at start.
import {
  tlsViolations,
  tlsOptionsOf,
  type TlsFileSettings,
  type TlsOptions,
} from '@tessera/server';
import { NeedsRestart, secret, Setting, text, type Violation, type Secret } from '@tessera/config';

const PREFIX = 'config-server.tls';

@NeedsRestart()
export class TlsSettings implements TlsFileSettings {
  /** PEM, with the intermediate certificates; empty for plain HTTP. */
  @Setting('config-server.tls.certificate-file', text) certificateFile = '';
  @Setting('config-server.tls.key-file', text) keyFile = '';
  @Setting('config-server.tls.key-passphrase', secret)
  keyPassphrase: Secret | undefined = undefined;
  readonly clientCaFile = '';
  readonly clientCertificates = 'none';

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
