// A file whose content is taken over when it changes. What it says is for others to read.
import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { loggerFor } from '@tessera/logging';
import { fileState } from '@tessera/runtime';
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

async function load<T>(file: SettingsFile, { mostBytes, read }: FileKind<T>): Promise<T> {
  const { setting, path } = file;
  try {
    return read(await readWithin(path, mostBytes));
  } catch (error) {
    const fault =
      error instanceof CertificateError ? `${path} is of no use` : `cannot read ${path}`;
    const message = `${setting}: ${fault} (${reasonOf(error)})`;
    throw new CertificateError('CERTIFICATE_FILES_UNREADABLE', message, error);
  }
}

async function readWithin(path: string, mostBytes: number): Promise<Buffer> {
  // Without O_NONBLOCK a named pipe would keep us waiting for its other end.
  const handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const stats = await handle.stat();
    if (!stats.isFile()) throw new Error('no file');
    if (stats.size > mostBytes) throw new Error(`more than ${mostBytes} bytes`);
    return await handle.readFile();
  } finally {
    await handle.close();
  }
}

function reasonOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return error instanceof CertificateError ? message : (code ?? message);
}
