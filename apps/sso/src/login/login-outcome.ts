// What a request for the login page leads to.
import type { SessionDetails } from '@tessera/tickets';
import type { PasswordExpiry } from '../authentication/authentication-handler.js';
import type { PasswordChangeProblem } from '../authentication/password-changes.js';
import type { PasswordErrorCode } from '../authentication/password-error.js';
import type { Session, StartedSession } from './browser-session.js';
import type { GivenConsent } from './given-consents.js';
import type { PasswordSubject } from './login-forms.js';
import type { ShownApplication } from './pages.js';

/** Why a form is shown again. */
export type FormProblem =
  | {
      readonly kind:
        | 'credentials-missing'
        | 'credentials-refused'
        | 'form-expired'
        | 'form-used'
        | 'password-changed';
    }
  /** The password is right, but has expired or must be changed first. */
  | { readonly kind: 'password'; readonly code: PasswordErrorCode }
  /** `retryAfter` in seconds. */
  | { readonly kind: 'throttled'; readonly retryAfter: number };

/** The application that a sign-in is for. */
export interface SignInApplication extends ShownApplication {
  /** URL of an image. */
  readonly logo?: string | undefined;
  /** False: it requires credentials, even in a session. */
  readonly ssoEnabled: boolean;
  /** That the application expects. */
  readonly username?: string;
}

export interface CredentialsRequired {
  readonly kind: 'credentials-required';
  /** Undefined where the request names none. */
  readonly application: SignInApplication | undefined;
  readonly problem?: FormProblem;
}

export interface ServiceRefused {
  readonly kind: 'service-refused';
  /**
   * `unregistered` also for a disabled service; `user` where this user may not use it; `expired` where its request has ended.
   */
  readonly reason: 'unregistered' | 'user' | 'expired';
  /** Named by its host where it is not registered; undefined where its URL has none. */
  readonly application: ShownApplication | undefined;
  /** Of the registration: where to send the browser in place of a page. */
  readonly redirectUrl: string | undefined;
}

/** The user is told how much longer the password may be used, before the sign-in goes on. */
export interface PasswordNotice extends PasswordSubject {
  readonly kind: 'password-notice';
  readonly application: SignInApplication | undefined;
  readonly expiry: PasswordExpiry;
  /** The TGT of the session that the login has started. */
  readonly tgt: string;
}

/** The user may choose another password. */
export interface NewPasswordRequired extends PasswordSubject {
  readonly kind: 'new-password-required';
  readonly application: SignInApplication | undefined;
  /** Why it is required, or why the one that was given is refused. */
  readonly problem?:
    | PasswordErrorCode
    | PasswordChangeProblem
    | 'incomplete'
    | 'mismatch'
    | Extract<FormProblem, { readonly kind: 'throttled' }>;
}

/** The page of a session. */
export interface SignedIn {
  readonly kind: 'signed-in';
  readonly session: Session;
  /** The registered services that the session signed in to, of those that get logout messages. */
  readonly applications: readonly ShownApplication[];
  /** What the user has allowed applications. */
  readonly consents: readonly GivenConsent[];
  readonly others: readonly SessionDetails[];
}

export type LoginOutcome =
  | CredentialsRequired
  | ServiceRefused
  | PasswordNotice
  | NewPasswordRequired
  | { readonly kind: 'confirmation-required'; readonly application: SignInApplication | undefined }
  | SignedIn
  /** To the page of the session, so that a reload does not send the form again. */
  | { readonly kind: 'session-page' }
  | { readonly kind: 'redirect'; readonly url: string }
  | {
      readonly kind: 'post';
      readonly url: string;
      readonly parameter: string;
      readonly ticket: string;
    }
  | {
      readonly kind: 'logged-in';
      readonly session: StartedSession;
      readonly next: LoginOutcome;
    };
