// A file that is loaded again when it changes.
import { loggerFor } from '@tessera/logging';
import { FileSnapshot, readRegularFile } from '@tessera/runtime';
import { CertificateError } from './certificate-error.js';

const log = loggerFor('certificates');

/** A file, and the setting that names it. */
export interface SettingsFile {
  readonly setting: string;
  readonly path: string;
}

export interface FileKind<T> {
  /** In bytes. */
  readonly mostBytes: number;
  /** @throws CertificateError when the content is not valid */
  readonly read: (content: Buffer) => T;
}

/** The last good content of a file. */
export class WatchedFile<T> {
  private constructor(
    private readonly file: SettingsFile,
    private readonly kind: FileKind<T>,
    private snapshot: FileSnapshot,
    private current: T,
  ) {}

  /** @throws CertificateError CERTIFICATE_FILES_UNREADABLE, with the setting and the path */
  static async open<T>(file: SettingsFile, kind: FileKind<T>): Promise<WatchedFile<T>> {
    const snapshot = await FileSnapshot.take([file.path]);
    return new WatchedFile(file, kind, snapshot, await load(file, kind));
  }

  get path(): string {
    return this.file.path;
  }

  get content(): T {
    return this.current;
  }

  /**
   * Loads the file again if it has changed. A file that cannot be loaded leaves the content as it was, with one warning
   * until it changes again.
   *
   * @returns whether the content was replaced
   */
  async refresh(): Promise<boolean> {
    const { path } = this.file;
    // Taken before the file is read, so that a change during the reading counts.
    const snapshot = await FileSnapshot.take([path]);
    if (snapshot.changedSince(this.snapshot).length === 0) return false;
    this.snapshot = snapshot;
    try {
      this.current = await load(this.file, this.kind);
    } catch (error) {
      log.warn({ path, error }, 'a changed file cannot be used: keeping what it said');
      return false;
    }
    log.info({ path }, 'a changed file is used now');
    return true;
  }
}

async function load<T>({ setting, path }: SettingsFile, kind: FileKind<T>): Promise<T> {
  const reading = await readRegularFile(path, kind.mostBytes);
  if ('error' in reading) throw unreadable(`${setting}: ${path} ${reading.error}`, reading.cause);
  try {
    return kind.read(reading.content);
  } catch (error) {
    const { message: reason } = error as Error;
    throw unreadable(`${setting}: ${path} is of no use (${reason})`, error);
  }
}

function unreadable(message: string, cause: unknown): CertificateError {
  return new CertificateError('CERTIFICATE_FILES_UNREADABLE', message, cause);
}
