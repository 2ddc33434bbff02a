// The port of what a finished sign-in continues with.
import type { Session } from './browser-session.js';
import type { LoginOutcome, ServiceRefused, SignInApplication } from './login-outcome.js';
import type { LoginRequest } from './login-request.js';
import type { ShownApplication } from './pages.js';

export abstract class SignInContinuation {
  /** The application of a request; undefined where no sign-in may continue with it. */
  abstract applicationOf(
    login: LoginRequest,
  ): SignInApplication | undefined | Promise<SignInApplication | undefined>;

  /** The refusal of a request without an {@link applicationOf}. Logs it. */
  abstract refuse(login: LoginRequest, session: Session | undefined): ServiceRefused;

  /**
   * Continues the sign-in of a session: sends the browser to the application. Undefined where the session does not suffice.
   *
   * @param options `withCredentials`: whether the user has given them in this sign-in, so that it counts as a new login
   */
  abstract proceed(
    session: Pick<Session, 'tgt' | 'authentication'>,
    login: LoginRequest,
    options: { readonly withCredentials: boolean },
  ): Promise<LoginOutcome | undefined>;

  /**
   * An application of a session, for people; undefined where it is not registered any more.
   *
   * @param application by which its registration is found: a service URL, or a client id
   */
  abstract shown(application: string): ShownApplication | undefined;

  /** Back to the application without a sign-in; undefined where it has not asked for that. */
  abstract leave(login: LoginRequest): LoginOutcome | undefined;
}
