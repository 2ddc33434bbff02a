// Owns what an application's settings of an HTTPS listener come to, and the rules between them. Their keys differ by
// application in the prefix alone.
import type { NamedFile, TlsOptions } from './tls-options.js';

/** As settings give them; an empty path is none. */
export interface TlsFiles {
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
export function tlsOptionsOf(prefix: string, files: TlsFiles): TlsOptions | undefined {
  if (files.certificateFile === '') return undefined;
  const named = (name: string, path: string): NamedFile => ({
    setting: `${prefix}.${name}`,
    path,
  });
  return {
    certificate: named('certificate-file', files.certificateFile),
    key: named('key-file', files.keyFile),
    passphrase: files.keyPassphrase?.reveal(),
    clientAuthorities:
      files.clientCaFile === '' ? undefined : named('client-ca-file', files.clientCaFile),
    asksForCertificate: files.clientCertificates === 'request',
  };
}

/** What is wrong with them as far as no file has to be read. */
export function* tlsComplaints(
  prefix: string,
  files: TlsFiles,
): Iterable<{ readonly key: string; readonly message: string }> {
  const [certificate, key] = [`${prefix}.certificate-file`, `${prefix}.key-file`];
  const isOn = files.certificateFile !== '';
  if (isOn && files.keyFile === '') {
    yield { key, message: `is required with ${certificate}` };
  }
  if (!isOn && files.keyFile !== '') {
    yield { key: certificate, message: `is required with ${key}` };
  }
  if (files.keyFile === '' && files.keyPassphrase !== undefined) {
    yield { key: `${prefix}.key-passphrase`, message: `is of no effect without ${key}` };
  }
  const asking = `${prefix}.client-certificates`;
  if (!isOn && files.clientCertificates === 'request') {
    yield { key: asking, message: `is of no effect without ${certificate}` };
  }
  if (files.clientCaFile !== '' && files.clientCertificates !== 'request') {
    const message = `is of no effect without ${asking}=request`;
    yield { key: `${prefix}.client-ca-file`, message };
  }
}
