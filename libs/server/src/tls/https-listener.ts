// Owns the HTTPS server below an application: what it shows, and what it asks of clients. Limits and answers are the
// application's.
import type { RequestListener, ServerOptions } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { SecureContextOptions, TLSSocket } from 'node:tls';
import { loggerFor } from '@tessera/logging';
import { credentialsOf, expiryOf, readTlsFiles, type TlsFiles } from './credentials.js';
import { Renewal } from './renewal.js';
import type { TlsOptions } from './tls-options.js';

const logger = loggerFor('server');

const RENEWAL_INTERVAL = 10_000;

export class HttpsListener {
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
    const expires = expiryOf(files);
    if (expires.getTime() < Date.now()) {
      logger.warn({ path: options.certificate.path, expires }, 'the certificate has expired');
    }
    return new HttpsListener(options, files, credentials, renewalInterval);
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
    void new Renewal(server, this.options, this.files, this.renewalInterval);
    return server;
  }
}
