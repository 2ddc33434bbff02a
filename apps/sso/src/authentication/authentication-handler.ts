// The port of authentication: what turns a credential into a principal. Trying handlers in order and
// logging what came of it is the Authenticator's part.
import { hash } from 'node:crypto';
import type { Principal } from '@tessera/services';

export interface UsernamePasswordCredential {
  readonly type: 'UsernamePasswordCredential';
  readonly username: string;
  readonly password: string;
  /** The other fields of the form it came in, each with its values. */
  readonly form: ReadonlyMap<string, readonly string[]>;
}

export interface X509CertificateCredential {
  readonly type: 'X509CertificateCredential';
  /** DER, as it was presented; nothing of it has been verified. */
  readonly certificate: Uint8Array;
  /** How it came. */
  readonly source: CertificateSource;
  /** Address of the host it came from. */
  readonly presentedBy: string;
}

/** `form`: claimed by the caller; `proxy`: named by a proxy that asked for it; `tls`: proved in our own handshake. */
export type CertificateSource = 'form' | 'proxy' | 'tls';

export type Credential = UsernamePasswordCredential | X509CertificateCredential;

/** What one user's credentials have in common, for counting and the log: not yet who the user is. */
export function nameOf(credential: Credential): string {
  return credential.type === 'UsernamePasswordCredential'
    ? credential.username
    : `certificate ${fingerprintOf(credential.certificate)}`;
}

/** As people compare it: the SHA-256 of the certificate. */
function fingerprintOf(certificate: Uint8Array): string {
  return hash('sha256', certificate, 'hex');
}

/** Why a handler refused. For the log alone: a caller is told nothing but that. */
export type RefusalReason =
  | 'unknown user'
  | 'wrong password'
  | 'account disabled'
  | 'account expired'
  | 'unusable password hash'
  | 'ambiguous user'
  | 'no usable id'
  | 'password expired'
  | 'account locked'
  | 'login not permitted'
  | 'host not trusted'
  | 'certificate names no principal'
  | 'subject does not match'
  | 'issuer does not match'
  | `certificate refused: ${string}`;

export type Verdict =
  | { readonly accepted: Principal; readonly refused?: never }
  | { readonly accepted?: never; readonly refused: RefusalReason };

/**
 * Checks credentials of some kind against some store of users.
 *
 * A handler answers; it does not log, count failures or throttle. All refusals of one handler do the
 * same work, so that the time of an answer tells nobody which user names exist.
 */
export interface AuthenticationHandler<Supported extends Credential = Credential> {
  /** Stable, for settings, sessions and the log. */
  readonly name: string;
  supports(credential: Credential): boolean;
  /** Rejects only when it cannot tell, such as when its store is away: never for a credential. */
  authenticate(credential: Supported): Promise<Verdict>;
  /** For an orderly stop: waits for what logins left to do behind them, and lets go of what it holds open. */
  close?(): Promise<void>;
}
