// The port to authentication handlers: credentials, verdicts, and the handler interface.
import { hash } from 'node:crypto';
import type { Principal } from '@tessera/services';

export interface UsernamePasswordCredential {
  readonly type: 'UsernamePasswordCredential';
  readonly username: string;
  readonly password: string;
  /** The other fields of the form, each with its values. */
  readonly form: ReadonlyMap<string, readonly string[]>;
}

export interface X509CertificateCredential {
  readonly type: 'X509CertificateCredential';
  /** DER, unverified. */
  readonly certificate: Uint8Array;
  readonly source: CertificateSource;
  /** Address of the host that presented it. */
  readonly presentedBy: string;
}

/** `form`: claimed by the caller; `proxy`: passed on by a TLS proxy; `tls`: proved in our own TLS handshake. */
export type CertificateSource = 'form' | 'proxy' | 'tls';

export type Credential = UsernamePasswordCredential | X509CertificateCredential;

/** A name for the credential, used to count failures and to log. It does not identify a user yet. */
export function nameOf(credential: Credential): string {
  return credential.type === 'UsernamePasswordCredential'
    ? credential.username
    : `certificate ${fingerprintOf(credential.certificate)}`;
}

function fingerprintOf(certificate: Uint8Array): string {
  return hash('sha256', certificate, 'hex');
}

/** Why a handler refused. It is logged. Answers tell no more than {@link PasswordError} does. */
export type RefusalReason =
  | 'unknown user'
  | 'wrong password'
  | 'account disabled'
  | 'account expired'
  | 'unusable password hash'
  | 'ambiguous user'
  | 'no usable id'
  /** Only where the password is right, as the next one. */
  | 'password expired'
  | 'password must change'
  | 'account locked'
  | 'login not permitted'
  | 'host not trusted'
  | 'certificate names no principal'
  | 'subject does not match'
  | 'issuer does not match'
  | `certificate refused: ${string}`;

/** How much longer a password that was accepted may be used, where its store says so. */
export interface PasswordExpiry {
  readonly expiresAt?: Date | undefined;
  /** It has expired: the number of logins that it still serves for. */
  readonly graceLogins?: number | undefined;
  /** Whether the handler lets the user change it. */
  readonly mayChange: boolean;
}

export type Verdict =
  | {
      readonly accepted: Principal;
      /** For the password of an account: when it was set. */
      readonly passwordChangedAt?: Date | undefined;
      readonly passwordExpiry?: PasswordExpiry | undefined;
      readonly refused?: never;
    }
  | { readonly accepted?: never; readonly refused: RefusalReason };

/** A new password for the user of a credential, whose password must be right. */
export interface PasswordChange {
  readonly credential: UsernamePasswordCredential;
  readonly newPassword: string;
}

/** Why a store does not take a new password. Users are told. */
export type PasswordChangeRefusal =
  | 'PASSWORD_TOO_SHORT'
  | 'PASSWORD_TOO_WEAK'
  | 'PASSWORD_IN_HISTORY'
  /** The current one was set too recently. */
  | 'PASSWORD_TOO_YOUNG'
  | 'PASSWORD_NOT_ACCEPTED'
  | 'PASSWORD_CHANGE_FORBIDDEN';

export type PasswordChangeVerdict =
  | { readonly outcome: 'changed' }
  /** The credential, as at a login. A password that has expired or must be changed is no reason. */
  | { readonly outcome: 'credential refused'; readonly reason: RefusalReason }
  | { readonly outcome: 'password refused'; readonly reason: PasswordChangeRefusal }
  /** The store may have changed it: it was lost before it answered. */
  | { readonly outcome: 'unknown'; readonly error: unknown };

/**
 * Checks one kind of credential against one store of users.
 *
 * A handler does not log, count failures or throttle. All its refusals do the same work, so that the response time does
 * not reveal which user names exist.
 */
export interface AuthenticationHandler<Supported extends Credential = Credential> {
  /** Stable, for settings, sessions and the log. */
  readonly name: string;
  /** Whether its store has not answered lately: the others are tried first. */
  readonly isUnavailable?: boolean;
  supports(credential: Credential): boolean;
  /** Rejects only when it cannot decide, for example because its store is unavailable; never because of a credential. */
  authenticate(credential: Supported): Promise<Verdict>;
  /**
   * Changes the password of the user; absent where users may not. Rejects only where nothing was changed, for example because
   * the store is unavailable.
   */
  changePassword?(change: PasswordChange): Promise<PasswordChangeVerdict>;
  /** Waits for background work of logins, and releases connections and files. */
  close?(): Promise<void>;
}
