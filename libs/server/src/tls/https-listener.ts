// The HTTPS server below an application: its credentials, and what it asks of clients.
import type { X509Certificate } from 'node:crypto';
import type { RequestListener, ServerOptions } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { SecureContextOptions, TLSSocket } from 'node:tls';
import { loggerFor } from '@tessera/logging';
import type { Expiring } from '../health/expiry-watch.js';
import { certificatesIn, credentialsOf, readTlsFiles, type TlsFiles } from './credentials.js';
import { Renewal } from './renewal.js';
import type { TlsOptions } from './tls-options.js';

const logger = loggerFor('server');

const RENEWAL_INTERVAL = 10_000;

export class HttpsListener {
  private renewal: Renewal | undefined;

  private constructor(
    private readonly options: TlsOptions,
    private readonly files: TlsFiles,
    private readonly credentials: SecureContextOptions,
    private readonly renewalInterval: number,
  ) {}

  /** @throws ServerError TLS_FILE_UNUSABLE, naming the setting and the file */
  static async open(
    options: TlsOptions,
    renewalInterval = RENEWAL_INTERVAL,
  ): Promise<HttpsListener> {
    const files = await readTlsFiles(options);
    const credentials = credentialsOf(files, options);
    return new HttpsListener(options, files, credentials, renewalInterval);
  }

  /** The certificates in use: the server's own, and those between it and the root. */
  get expiring(): readonly Expiring[] {
    const { path } = this.options.certificate;
    const files = this.renewal?.inUse ?? this.files;
    return certificatesIn(files).map((certificate) => ({
      kind: 'tls',
      label: shortNameOf(certificate),
      name: subjectOf(certificate).replaceAll('\n', ', '),
      path,
      expires: certificate.validToDate,
    }));
  }

  /** A server that follows the files until it closes. A handshake may take as long as the headers of a request. */
  createServer(options: ServerOptions, listener: RequestListener): Server {
    const server = createServer(
      {
        ...options,
        ...this.credentials,
        handshakeTimeout: options.headersTimeout,
        // A certificate that OpenSSL would refuse is for whoever asks for it to judge, and to say why.
        requestCert: this.options.asksForCertificate,
        rejectUnauthorized: false,
      },
      listener,
    );
    server.on('tlsClientError', (error, { remoteAddress }: TLSSocket) => {
      logger.debug({ peer: remoteAddress, error }, 'a TLS handshake failed');
    });
    this.renewal = new Renewal(server, this.options, this.files, this.renewalInterval);
    return server;
  }
}

/** The common name; of a certificate without one its first alternative name, or its serial number. */
function shortNameOf(certificate: X509Certificate): string {
  const [, commonName] = /^CN=(.*)$/m.exec(subjectOf(certificate)) ?? [];
  const [alternative = ''] = certificate.subjectAltName?.split(', ') ?? [];
  return commonName ?? (alternative.replace(/^[^:]*:/, '') || certificate.serialNumber);
}

/** Node has none for an empty one, whatever its types say. */
function subjectOf({ subject }: { readonly subject: string | undefined }): string {
  return subject ?? '';
}
