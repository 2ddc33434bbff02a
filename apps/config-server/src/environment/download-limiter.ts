// Limits the bytes of plain files in flight, and closes connections whose client stops reading.
import type { ServerResponse } from 'node:http';
import { EnvironmentError } from '../errors/environment-error.js';

export interface DownloadLimits {
  /** Of all files together. A single file may be larger. */
  readonly bytes: number;
  /** The time without progress, in milliseconds, after which a connection is closed. */
  readonly timeoutMs: number;
}

const LIMITS: DownloadLimits = { bytes: 64 * 1024 * 1024, timeoutMs: 60_000 };

/** Each response holds its own copy of the file until it is sent, so many slow clients would use much memory. */
export class DownloadLimiter {
  private bytes = 0;

  constructor(private readonly limits = LIMITS) {}

  /** Call it before reading a file, so that no file is read in vain. @throws EnvironmentError FILES_BUSY */
  requireCapacity(): void {
    if (this.bytes >= this.limits.bytes) throw busy();
  }

  /**
   * Counts a file until its response is sent or the connection is closed. Closes the connection after the timeout without
   * progress.
   * @param bytes the size of the file
   * @throws EnvironmentError FILES_BUSY; the file is then not counted
   */
  track(bytes: number, response: ServerResponse | undefined): void {
    // The client left while the file was read: there will be no 'close' event.
    if (response === undefined || response.closed) return;
    if (this.bytes > 0 && this.bytes + bytes > this.limits.bytes) throw busy();
    this.bytes += bytes;
    response.once('close', () => {
      this.bytes -= bytes;
    });
    response.setTimeout(this.limits.timeoutMs, () => response.destroy());
  }
}

function busy(): EnvironmentError {
  return new EnvironmentError('FILES_BUSY', 'too many plain files are under way: try again later');
}
