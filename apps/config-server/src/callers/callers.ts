// Owns the port that routes ask whether a caller may do what it asks for.
import type { IncomingMessage } from 'node:http';

/** What a client can be allowed to do; `files` are plain ones, which are of no application. */
export const PERMISSIONS = ['read', 'files', 'encrypt', 'decrypt'] as const;
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
   * @throws CallerError CALLER_UNKNOWN (401), CALLER_NOT_ALLOWED (403); ThrottledError (429)
   */
  admit(request: IncomingMessage, permission: Permission, scope: Scope): Promise<void>;
}

/** The injection token of the port. */
export const CALLERS = Symbol('Callers');
