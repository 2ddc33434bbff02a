// Options of an HTTPS listener, made from an application's `<prefix>.tls.*` settings.

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

/** The values of the settings; an empty path is an absent file. */
export interface TlsFileSettings {
  readonly certificateFile: string;
  readonly keyFile: string;
  readonly keyPassphrase: { reveal(): string } | undefined;
  readonly clientCaFile: string;
  readonly clientCertificates: 'none' | 'request';
}

/**
 * Undefined for plain HTTP.
 * @param prefix of the keys: `sso.tls`
 */
export function tlsOptionsOf(prefix: string, settings: TlsFileSettings): TlsOptions | undefined {
  if (settings.certificateFile === '') return undefined;
  const file = (name: string, path: string): TlsFile => ({ setting: `${prefix}.${name}`, path });
  return {
    certificate: file('certificate-file', settings.certificateFile),
    key: file('key-file', settings.keyFile),
    passphrase: settings.keyPassphrase?.reveal(),
    clientAuthorities:
      settings.clientCaFile === '' ? undefined : file('client-ca-file', settings.clientCaFile),
    requestsClientCertificate: settings.clientCertificates === 'request',
  };
}

/** Violations of the rules between the settings. No file is read. */
export function* tlsViolations(
  prefix: string,
  settings: TlsFileSettings,
): Iterable<{ readonly key: string; readonly message: string }> {
  const [certificate, key] = [`${prefix}.certificate-file`, `${prefix}.key-file`];
  const isOn = settings.certificateFile !== '';
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
