// A file whose content is taken over when it changes. What it says is for others to read.
import { loggerFor } from '@tessera/logging';
import { fileState, readRegularFile } from '@tessera/runtime';
import { CertificateError } from './certificate-error.js';

const log = loggerFor('certificates');

/** A file, and the setting that names it, for whoever has to mend it. */
export interface SettingsFile {
  readonly setting: string;
  readonly path: string;
}

export interface FileKind<T> {
  /** In bytes. */
  readonly mostBytes: number;
  /** Throws a CertificateError where the content is not what it should be. */
  readonly read: (content: Buffer) => T;
}

/** The last good content of a file. */
export class WatchedFile<T> {
  private constructor(
    private readonly file: SettingsFile,
    private readonly kind: FileKind<T>,
    private state: string,
    private current: T,
  ) {}

  /** @throws CertificateError CERTIFICATE_FILES_UNREADABLE, with the setting and the path */
  static async open<T>(file: SettingsFile, kind: FileKind<T>): Promise<WatchedFile<T>> {
    const state = await fileState(file.path);
    return new WatchedFile(file, kind, state, await load(file, kind));
  }

  get path(): string {
    return this.file.path;
  }

  get content(): T {
    return this.current;
  }

  /**
   * Takes over a file that has changed and says whether it did. What cannot be read leaves the content
   * as it was, with one warning until the file changes again.
   */
  async refresh(): Promise<boolean> {
    // Asked before reading: what is written while we read changes it once more.
    const { path } = this.file;
    const state = await fileState(path);
    if (state === this.state) return false;
    this.state = state;
    try {
      this.current = await load(this.file, this.kind);
    } catch (error) {
      log.warn({ path, error }, 'a changed file cannot be used: keeping what it said');
      return false;
    }
    log.info({ path }, 'a changed file was taken over');
    return true;
  }
}

async function load<T>({ setting, path }: SettingsFile, kind: FileKind<T>): Promise<T> {
  const reading = await readRegularFile(path, kind.mostBytes);
  if ('fault' in reading) throw unreadable(`${setting}: ${path} ${reading.fault}`, reading.cause);
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
