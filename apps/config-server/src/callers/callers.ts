// Owns the port that routes ask whether a caller may do what it asks for.
import type { IncomingMessage } from 'node:http';

/** What a client can be allowed to do; `files` are plain ones, and these and `refresh` are of no application. */
export const PERMISSIONS = ['read', 'files', 'encrypt', 'decrypt', 'refresh'] as const;
export type Permission = (typeof PERMISSIONS)[number];

/** What the path of a request names. A profile counts too: with an application it may spell another one. */
export interface Scope {
  readonly applications: readonly string[];
  readonly profiles: readonly string[];
}

export interface Callers {
  /**
   * Lets the request pass, or throws. Call it first, before anything of the request is looked at but its path.
   *
   * @param scope all of it must be allowed to the caller
   * @returns who it is, for the log: `orders at 192.0.2.1`
   * @throws CallerError CALLER_UNKNOWN (401), CALLER_NOT_ALLOWED (403); ThrottledError (429)
   */
  admit(request: IncomingMessage, permission: Permission, scope: Scope): Promise<string>;
}

/** The injection token of the port. */
export const CALLERS = Symbol('Callers');
