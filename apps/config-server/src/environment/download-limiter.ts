// Owns how many bytes of plain files are under way to callers, and for how long one that takes nothing is waited for.
import type { ServerResponse } from 'node:http';
import { EnvironmentError } from './environment-error.js';

export interface DownloadLimits {
  /** All files together; one alone may be larger. */
  readonly bytes: number;
  /** How long a connection may take nothing, in milliseconds. */
  readonly patience: number;
}

const LIMITS: DownloadLimits = { bytes: 64 * 1024 * 1024, patience: 60_000 };

/** Each answer holds a file of its own until the last byte is handed over: callers that read slowly are many at once. */
export class DownloadLimiter {
  private bytes = 0;

  constructor(private readonly limits = LIMITS) {}

  /** Called before a file is read, so that none is read in vain. @throws EnvironmentError FILES_BUSY */
  requireRoom(): void {
    if (this.bytes >= this.limits.bytes) throw busy();
  }

  /**
   * Counts a file from now until its answer is handed over or the connection is gone, and closes the connection where the
   * caller takes nothing for too long.
   * @param bytes of the file
   * @throws EnvironmentError FILES_BUSY, where nothing is counted
   */
  begin(bytes: number, response: ServerResponse): void {
    // The caller went while the file was read: no event will tell.
    if (response.closed) return;
    if (this.bytes > 0 && this.bytes + bytes > this.limits.bytes) throw busy();
    this.bytes += bytes;
    response.once('close', () => {
      this.bytes -= bytes;
    });
    closeWithoutProgress(response, this.limits.patience);
  }
}

function closeWithoutProgress(response: ServerResponse, patience: number): void {
  response.setTimeout(patience, () => response.destroy());
  // The limit is the socket's. Node has a listener too, which hands the socket on: it must find it without a limit.
  response.prependOnceListener('finish', () => response.socket?.setTimeout(0));
}

function busy(): EnvironmentError {
  return new EnvironmentError('FILES_BUSY', 'too many plain files are under way: try again later');
}
