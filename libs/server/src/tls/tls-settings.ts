// The settings of an HTTPS listener, and the options of the listener that they give.
import { NeedsRestart, secret, Setting, text, type Secret, type Violation } from '@tessera/config';

/** A file with the setting that names it: messages contain both. */
export interface TlsFile {
  readonly setting: string;
  readonly path: string;
}

export interface TlsOptions {
  /** PEM: the server's own certificate, then the intermediate ones. */
  readonly certificate: TlsFile;
  /** PEM, may be encrypted. */
  readonly key: TlsFile;
  readonly passphrase?: string | undefined;
  /** PEM: CAs whose names help clients to choose a certificate. They are not used for verification. */
  readonly clientAuthorities?: TlsFile | undefined;
  /** Whether the server requests a client certificate. It is optional, and not verified during the handshake. */
  readonly requestsClientCertificate: boolean;
}

/** The class of the settings `<application>.tls.*`. The files are read at start. @param application `sso` */
export function tlsSettings(application: string) {
  const prefix = `${application}.tls`;

  @NeedsRestart()
  class TlsSettings {
    /** PEM, with the intermediate certificates; empty for plain HTTP. */
    @Setting(`${prefix}.certificate-file`, text) certificateFile = '';
    @Setting(`${prefix}.key-file`, text) keyFile = '';
    @Setting(`${prefix}.key-passphrase`, secret) keyPassphrase: Secret | undefined = undefined;
    /** PEM: CAs whose names are sent to clients. A setting only where a subclass declares it. */
    clientCaFile = '';
    /** Whether a client certificate is requested; it is optional. A setting only where a subclass declares it. */
    clientCertificates: 'none' | 'request' = 'none';

    get isOn(): boolean {
      return this.certificateFile !== '';
    }

    /** Undefined for plain HTTP. */
    options(): TlsOptions | undefined {
      if (!this.isOn) return undefined;
      const file = (name: string, path: string): TlsFile => ({
        setting: `${prefix}.${name}`,
        path,
      });
      return {
        certificate: file('certificate-file', this.certificateFile),
        key: file('key-file', this.keyFile),
        passphrase: this.keyPassphrase?.reveal(),
        clientAuthorities:
          this.clientCaFile === '' ? undefined : file('client-ca-file', this.clientCaFile),
        requestsClientCertificate: this.clientCertificates === 'request',
      };
    }

    check(): Iterable<Violation> {
      return violationsOf(this, prefix);
    }
  }
  return TlsSettings;
}

function* violationsOf(
  settings: InstanceType<ReturnType<typeof tlsSettings>>,
  prefix: string,
): Iterable<Violation> {
  const { isOn } = settings;
  const [certificate, key] = [`${prefix}.certificate-file`, `${prefix}.key-file`];
  if (isOn && settings.keyFile === '') {
    yield { key, message: `is required with ${certificate}` };
  }
  if (!isOn && settings.keyFile !== '') {
    yield { key: certificate, message: `is required with ${key}` };
  }
  if (settings.keyFile === '' && settings.keyPassphrase !== undefined) {
    yield { key: `${prefix}.key-passphrase`, message: `is of no effect without ${key}` };
  }
  const clientCertificates = `${prefix}.client-certificates`;
  if (!isOn && settings.clientCertificates === 'request') {
    yield { key: clientCertificates, message: `is of no effect without ${certificate}` };
  }
  if (settings.clientCaFile !== '' && settings.clientCertificates !== 'request') {
    const message = `is of no effect without ${clientCertificates}=request`;
    yield { key: `${prefix}.client-ca-file`, message };
  }
}
