// The port of authentication: what turns a credential into a principal. Trying handlers in order and
// logging what came of it is the Authenticator's part.
import type { Principal } from '@tessera/services';

export interface UsernamePasswordCredential {
  readonly type: 'UsernamePasswordCredential';
  readonly username: string;
  readonly password: string;
  /** The other fields of the form it came in, each with its values. */
  readonly form: ReadonlyMap<string, readonly string[]>;
}

export type Credential = UsernamePasswordCredential;

/** Why a handler refused. For the log alone: a caller is told nothing but that. */
export type RefusalReason =
  | 'unknown user'
  | 'wrong password'
  | 'account disabled'
  | 'account expired'
  | 'unusable password hash';

export type Verdict =
  | { readonly accepted: Principal; readonly refused?: never }
  | { readonly accepted?: never; readonly refused: RefusalReason };

/**
 * Checks credentials of some kind against some store of users.
 *
 * A handler answers; it does not log, count failures or throttle. All refusals of one handler do the
 * same work, so that the time of an answer tells nobody which user names exist.
 */
export interface AuthenticationHandler {
  /** Stable, for settings, sessions and the log. */
  readonly name: string;
  supports(credential: Credential): boolean;
  /** Rejects only when it cannot tell, such as when its store is away: never for a credential. */
  authenticate(credential: Credential): Promise<Verdict>;
  /** Resolves when whatever accepted logins left to do behind them is done; for an orderly stop. */
  settled?(): Promise<void>;
}
