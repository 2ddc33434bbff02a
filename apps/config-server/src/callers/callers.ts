// Authorises the callers of the config server.
import type { IncomingMessage } from 'node:http';
import type { Permission } from '../settings/client.js';

/** The names in the path of a request. Application and profile together may spell the name of another application. */
export interface Scope {
  readonly applications: readonly string[];
  readonly profiles: readonly string[];
}

/** Who sent a request. */
export interface Caller {
  /** The client; undefined where no client is configured. */
  readonly name: string | undefined;
  readonly address: string;
}

export interface Callers {
  /**
   * Admits the request or throws. Call it before anything but the path is read.
   *
   * @param scope the caller needs a right to all of it
   * @throws CallerError CALLER_UNKNOWN (401), CALLER_NOT_ALLOWED (403); ThrottledError (429)
   */
  admit(request: IncomingMessage, permission: Permission, scope: Scope): Promise<Caller>;
}

/** The injection token of {@link Callers}. */
export const CALLERS = Symbol('Callers');
