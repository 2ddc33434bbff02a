// The HTTPS server of an application.
import type { X509Certificate } from 'node:crypto';
import type { IncomingMessage, RequestListener, ServerOptions } from 'node:http';
import { createServer, type Server } from 'node:https';
import { TLSSocket, type SecureContextOptions } from 'node:tls';
import { loggerFor } from '@tessera/logging';
import type { Expiring } from './expiry-watch.js';
import {
  certificatesIn,
  credentialsOf,
  readTlsFiles,
  type TlsFileContents,
} from './credentials.js';
import { CertificateReloader } from './certificate-reloader.js';
import type { TlsOptions } from './tls-settings.js';

const logger = loggerFor('server');

const RELOAD_INTERVAL_MS = 10_000;

export class HttpsListener {
  private reloader: CertificateReloader | undefined;

  private constructor(
    private readonly options: TlsOptions,
    private readonly files: TlsFileContents,
    private readonly credentials: SecureContextOptions,
    private readonly reloadInterval: number,
  ) {}

  /** @throws ServerError TLS_FILE_UNUSABLE, naming the setting and the file */
  static async open(
    options: TlsOptions,
    renewalInterval = RELOAD_INTERVAL_MS,
  ): Promise<HttpsListener> {
    const files = await readTlsFiles(options);
    const credentials = credentialsOf(files, options);
    return new HttpsListener(options, files, credentials, renewalInterval);
  }

  /** The current certificates: the server's own and the intermediate ones. */
  get expiring(): readonly Expiring[] {
    const { path } = this.options.certificate;
    const files = this.reloader?.current ?? this.files;
    return certificatesIn(files).map((certificate) => ({
      kind: 'tls',
      label: shortNameOf(certificate),
      name: subjectOf(certificate).replaceAll('\n', ', '),
      path,
      expires: certificate.validToDate,
    }));
  }

  /** A server that reloads changed files until it closes. The handshake has the timeout of request headers. */
  createServer(options: ServerOptions, listener: RequestListener): Server {
    const server = createServer(
      {
        ...options,
        ...this.credentials,
        handshakeTimeout: options.headersTimeout,
        // The code that uses the certificate verifies it, to give a reason for each refusal.
        requestCert: this.options.requestsClientCertificate,
        rejectUnauthorized: false,
      },
      listener,
    );
    server.on('tlsClientError', (error, { remoteAddress }: TLSSocket) => {
      logger.debug({ peer: remoteAddress, error }, 'a TLS handshake failed');
    });
    this.reloader = new CertificateReloader(server, this.options, this.files, this.reloadInterval);
    return server;
  }
}

/**
 * DER of the client's certificate. The handshake proves that the client has its key; issuer and validity are not verified.
 * Undefined without a certificate, where none was requested, and over plain HTTP.
 */
export function peerCertificate({ socket }: IncomingMessage): Uint8Array | undefined {
  return socket instanceof TLSSocket ? socket.getPeerX509Certificate()?.raw : undefined;
}

/** The common name, else the first alternative name, else the serial number. */
function shortNameOf(certificate: X509Certificate): string {
  const [, commonName] = /^CN=(.*)$/m.exec(subjectOf(certificate)) ?? [];
  const [alternative = ''] = certificate.subjectAltName?.split(', ') ?? [];
  return commonName ?? (alternative.replace(/^[^:]*:/, '') || certificate.serialNumber);
}

/** Node returns undefined for an empty subject, contrary to its types. */
function subjectOf({ subject }: { readonly subject: string | undefined }): string {
  return subject ?? '';
}
