// Extracts a client certificate from a form field, a header of a TLS proxy, or our own TLS handshake.
import type { IncomingMessage } from 'node:http';
import { CertificateError, readCertificate } from '@tessera/certificates';
import {
  peerCertificate,
  RequestError,
  type AddressRanges,
  type ClientAddresses,
  type Form,
} from '@tessera/server';
import type {
  CertificateSource,
  X509CertificateCredential,
} from '../authentication/authentication-handler.js';
import type { CredentialExtractor } from '../authentication/credential-extractor.js';
import type { CertificateHeaderFormat } from '../settings/x509-settings.js';
import { readCertificateHeader } from './client-certificate-header.js';

const FIELD = 'cert';

export interface ConnectionCertificateOptions {
  readonly headerName: string;
  readonly headerFormat: CertificateHeaderFormat;
  /** The proxies that set the header; it is ignored from any other address. */
  readonly headerProxies: AddressRanges;
  /** Whether a certificate of our own TLS handshake is a credential. */
  readonly tls: boolean;
}

export class CertificateExtractor implements CredentialExtractor {
  readonly fields = [FIELD];

  constructor(
    private readonly options: ConnectionCertificateOptions,
    private readonly addresses: ClientAddresses,
  ) {}

  /**
   * The certificate in the form or, if the form has no credential, that of the connection.
   * @throws RequestError MALFORMED_REQUEST for an unreadable certificate, or one together with a user name or password
   */
  extract(form: Form, request: IncomingMessage): X509CertificateCredential | undefined {
    const beside = ['username', 'password'].filter((name) => form.has(name));
    const text = form.one(FIELD);
    if (text === undefined) {
      return beside.length > 0 ? undefined : this.fromConnection(request);
    }
    if (beside.length > 0) {
      throw malformed(`${FIELD} stands beside ${beside.join(' and ')}: send one credential`);
    }
    if (text === '') throw malformed(`missing: ${FIELD}`);
    return this.credential('form', request, FIELD, () => readCertificate(text));
  }

  /** For a TLS proxy only the header counts: the certificate of its own handshake does not identify its clients. */
  private fromConnection(request: IncomingMessage): X509CertificateCredential | undefined {
    const { headerProxies, tls, ...header } = this.options;
    const isHeaderProxy = headerProxies.contains(this.addresses.peer(request));
    if (isHeaderProxy) return this.fromHeader(header, request);
    const isTrusted = tls && !this.addresses.isFromProxy(request);
    const certificate = isTrusted ? peerCertificate(request) : undefined;
    return certificate && this.credential('tls', request, 'TLS', () => certificate);
  }

  private fromHeader(
    { headerName, headerFormat }: Pick<ConnectionCertificateOptions, 'headerName' | 'headerFormat'>,
    request: IncomingMessage,
  ): X509CertificateCredential | undefined {
    const value = request.headers[headerName.toLowerCase()];
    // nginx sets an empty header where the client has no certificate.
    if (typeof value !== 'string' || value === '') return undefined;
    return this.credential('proxy', request, headerName, () =>
      readCertificateHeader(value, headerFormat),
    );
  }

  private credential(
    source: CertificateSource,
    request: IncomingMessage,
    where: string,
    read: () => Uint8Array,
  ): X509CertificateCredential {
    try {
      const presentedBy = this.addresses.of(request);
      return { type: 'X509CertificateCredential', certificate: read(), source, presentedBy };
    } catch (error) {
      if (!(error instanceof CertificateError)) throw error;
      throw malformed(`${where} is no certificate: ${error.message}`);
    }
  }
}

function malformed(message: string): RequestError {
  return new RequestError('MALFORMED_REQUEST', message);
}
