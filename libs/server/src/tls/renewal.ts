// Owns following the files of an HTTPS listener: what is renewed on disk is taken over while the server runs.
import type { Server } from 'node:tls';
import { isDeepStrictEqual } from 'node:util';
import { loggerFor } from '@tessera/logging';
import { credentialsOf, expiryOf, readTlsFiles, type TlsFiles } from './credentials.js';
import type { TlsOptions } from './tls-options.js';

const logger = loggerFor('server');

/** What stands in the files, or why that cannot be known. */
type Found = TlsFiles | Error;

/**
 * Looks at the files again and again; whatever renews them, and through whatever links, shows in what stands in them.
 * What two looks in a row have found counts: a certificate is written before its key, or after it.
 */
export class Renewal {
  private timer: NodeJS.Timeout | undefined;
  private isOver = false;
  private current: TlsFiles;
  /** What was last taken over, or refused. */
  private judged: Found;
  private lastFound: Found;

  /**
   * @param files what the server was made with
   * @param interval between two looks, in milliseconds
   */
  constructor(
    private readonly server: Server,
    private readonly options: TlsOptions,
    files: TlsFiles,
    private readonly interval: number,
  ) {
    this.current = files;
    this.judged = files;
    this.lastFound = files;
    server.once('close', () => {
      this.isOver = true;
      clearTimeout(this.timer);
    });
    this.lookLater();
  }

  /** The files whose certificate new connections get. */
  get inUse(): TlsFiles {
    return this.current;
  }

  private lookLater(): void {
    if (this.isOver) return;
    this.timer = setTimeout(() => void this.look().then(() => this.lookLater()), this.interval);
    this.timer.unref();
  }

  private async look(): Promise<void> {
    const found = await readTlsFiles(this.options).catch((error: unknown) => error as Error);
    const isSettled = isDeepStrictEqual(found, this.lastFound);
    this.lastFound = found;
    if (!isSettled || isDeepStrictEqual(found, this.judged)) return;
    this.judged = found;
    this.takeOver(found);
  }

  /** New connections get what is new. What is no use is told, and changes nothing. */
  private takeOver(found: Found): void {
    try {
      if (found instanceof Error) throw found;
      this.server.setSecureContext(credentialsOf(found, this.options));
      this.current = found;
      const { path } = this.options.certificate;
      logger.info({ path, expires: expiryOf(found) }, 'took over a certificate');
    } catch (error) {
      logger.warn({ error }, 'keeping the certificate in use');
    }
  }
}
