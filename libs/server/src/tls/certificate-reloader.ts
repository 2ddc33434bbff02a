// Reloads the certificate and key of a running HTTPS server when their files change.
import type { Server } from 'node:tls';
import { isDeepStrictEqual } from 'node:util';
import { loggerFor } from '@tessera/logging';
import { Poller } from '@tessera/runtime';
import { credentialsOf, expiryOf, readTlsFiles, type TlsFileContents } from './credentials.js';
import type { TlsOptions } from './tls-settings.js';

const logger = loggerFor('server');

/** The contents of the files, or the error from reading them. */
type ReadResult = TlsFileContents | Error;

/**
 * Polls the contents of the files, which works for overwritten files, renames and changed links alike. A change counts once
 * two reads in a row give the same: certificate and key are written one after the other.
 */
export class CertificateReloader {
  private currentFiles: TlsFileContents;
  /** The last result that was applied or rejected. */
  private lastHandled: ReadResult;
  private lastRead: ReadResult;

  /**
   * @param files the server was created with
   * @param interval between two reads, in milliseconds
   */
  constructor(
    private readonly server: Server,
    private readonly options: TlsOptions,
    files: TlsFileContents,
    interval: number,
  ) {
    this.currentFiles = files;
    this.lastHandled = files;
    this.lastRead = files;
    const poller = new Poller(
      () => interval,
      () => this.poll(),
    );
    server.once('close', () => poller.stop());
    poller.restart();
  }

  /** The files behind the certificate of new connections. */
  get current(): TlsFileContents {
    return this.currentFiles;
  }

  private async poll(): Promise<void> {
    const result = await readTlsFiles(this.options).catch((error: unknown) => error as Error);
    const isStable = isDeepStrictEqual(result, this.lastRead);
    this.lastRead = result;
    if (!isStable || isDeepStrictEqual(result, this.lastHandled)) return;
    this.lastHandled = result;
    this.apply(result);
  }

  /** New connections get the new certificate. An unusable one is logged and changes nothing. */
  private apply(result: ReadResult): void {
    try {
      if (result instanceof Error) throw result;
      this.server.setSecureContext(credentialsOf(result, this.options));
      this.currentFiles = result;
      const { path } = this.options.certificate;
      logger.info({ path, expires: expiryOf(result) }, 'a new certificate is used');
    } catch (error) {
      logger.warn({ error }, 'keeping the certificate in use');
    }
  }
}
