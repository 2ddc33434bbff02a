// Owns the settings of an HTTPS listener of our own, and the rules between them. The files are read at start.
import type { TlsOptions } from '@tessera/server';
import { oneOf, secret, Setting, text, type Complaint, type Secret } from '@tessera/settings';

const CERTIFICATE = 'sso.tls.certificate-file';
const KEY = 'sso.tls.key-file';
const PASSPHRASE = 'sso.tls.key-passphrase';
const CLIENT_CA = 'sso.tls.client-ca-file';
const CLIENT_CERTIFICATES = 'sso.tls.client-certificates';

export class TlsSettings {
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
    if (!this.isOn) return undefined;
    return {
      certificate: { setting: CERTIFICATE, path: this.certificateFile },
      key: { setting: KEY, path: this.keyFile },
      passphrase: this.keyPassphrase?.reveal(),
      clientAuthorities:
        this.clientCaFile === '' ? undefined : { setting: CLIENT_CA, path: this.clientCaFile },
      asksForCertificate: this.clientCertificates === 'request',
    };
  }

  *check(): Iterable<Complaint> {
    if (this.isOn && this.keyFile === '') {
      yield { key: KEY, message: `is required with ${CERTIFICATE}` };
    }
    if (!this.isOn && this.keyFile !== '') {
      yield { key: CERTIFICATE, message: `is required with ${KEY}` };
    }
    if (!this.isOn && this.clientCertificates === 'request') {
      yield { key: CLIENT_CERTIFICATES, message: `is of no effect without ${CERTIFICATE}` };
    }
    if (this.keyFile === '' && this.keyPassphrase !== undefined) {
      yield { key: PASSPHRASE, message: `is of no effect without ${KEY}` };
    }
    if (this.clientCaFile !== '' && this.clientCertificates !== 'request') {
      yield { key: CLIENT_CA, message: `is of no effect without ${CLIENT_CERTIFICATES}=request` };
    }
  }
}
