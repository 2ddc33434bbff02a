// Owns where certificates come from: a form field, a proxy's header, our own TLS handshake. Believing them is the handler's part.
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

/** Where connections have certificates. */
export interface ConnectionCertificates {
  readonly headerName: string;
  readonly headerFormat: CertificateHeaderFormat;
  /** Those that set the header; of anybody else it is not even looked at. */
  readonly headerProxies: AddressRanges;
  /** Whether in our own handshake too. */
  readonly tls: boolean;
}

export class CertificateReader implements CredentialExtractor {
  readonly fields = [FIELD];

  /** @param connections what holds now; asked for each request */
  constructor(
    private readonly connections: () => ConnectionCertificates,
    private readonly addresses: ClientAddresses,
  ) {}

  /**
   * A certificate in the form, else, where the form has no other credential either, that of the connection.
   * @throws RequestError MALFORMED_REQUEST for what is no certificate, or stands beside a user name or password
   */
  read(form: Form, request: IncomingMessage): X509CertificateCredential | undefined {
    const beside = ['username', 'password'].filter((name) => form.has(name));
    const text = form.one(FIELD);
    if (text === undefined) {
      return beside.length > 0 ? undefined : this.ofConnection(request);
    }
    if (beside.length > 0) {
      throw malformed(`${FIELD} stands beside ${beside.join(' and ')}: send one credential`);
    }
    if (text === '') throw malformed(`missing: ${FIELD}`);
    return this.credential('form', request, FIELD, () => readCertificate(text));
  }

  /** Of a proxy, its header alone: the certificate of its own handshake is nobody's who is behind it. */
  private ofConnection(request: IncomingMessage): X509CertificateCredential | undefined {
    const { headerProxies, tls, ...header } = this.connections();
    if (headerProxies.contains(this.addresses.peer(request))) return this.inHeader(header, request);
    const isShown = tls && !this.addresses.isFromProxy(request);
    const certificate = isShown ? peerCertificate(request) : undefined;
    return certificate && this.credential('tls', request, 'TLS', () => certificate);
  }

  private inHeader(
    { headerName, headerFormat }: Pick<ConnectionCertificates, 'headerName' | 'headerFormat'>,
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
