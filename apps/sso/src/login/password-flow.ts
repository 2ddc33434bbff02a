// The change of a password before a sign-in goes on: who may, with what, and what follows.
import { Injectable } from '@nestjs/common';
import { loggerFor } from '@tessera/logging';
import { ThrottledError } from '@tessera/throttling';
import { type AcceptedLogin, Authenticator } from '../authentication/authenticator.js';
import { PasswordChanges } from '../authentication/password-changes.js';
import type { PasswordError } from '../authentication/password-error.js';
import type { Session } from './browser-session.js';
import { LoginContinuation } from './login-continuation.js';
import {
  LoginForms,
  type LoginFormState,
  type PasswordSubject,
  type Typed,
} from './login-forms.js';
import type { CredentialsRequired, LoginOutcome, NewPasswordRequired } from './login-outcome.js';

const log = loggerFor('login');

/** The fields of the form. */
export interface NewPassword {
  readonly current: string;
  readonly chosen: string;
  readonly repeated: string;
}

interface SubmittedPassword {
  /** Undefined where one of them is missing. */
  readonly newPassword: NewPassword | undefined;
  readonly clientAddress: string;
  readonly session: Session | undefined;
}

type NewPasswordForm = LoginFormState & PasswordSubject;

@Injectable()
export class PasswordFlow {
  constructor(
    private readonly continuation: LoginContinuation,
    private readonly changes: PasswordChanges,
    private readonly authenticator: Authenticator,
    private readonly forms: LoginForms,
  ) {}

  /** The answer to a right password that has expired or must be changed: the form for another one, if the user may. */
  afterError(
    { code, handler }: PasswordError,
    typed: Typed,
    asked: CredentialsRequired,
  ): LoginOutcome {
    return this.changes.isPossible(handler)
      ? { ...requiredOf({ handler, typed }, asked), problem: code }
      : { ...asked, problem: { kind: 'password', code } };
  }

  /** The form for another password, where the user has asked for it. */
  ask(subject: PasswordSubject, asked: CredentialsRequired): LoginOutcome {
    return this.changes.isPossible(subject.handler) ? requiredOf(subject, asked) : asked;
  }

  /** The answer to the form. Each form is one attempt; the next page has another. */
  async submit(
    form: NewPasswordForm,
    { newPassword, clientAddress, session }: SubmittedPassword,
    asked: CredentialsRequired,
  ): Promise<LoginOutcome> {
    const again = requiredOf(form, asked);
    if (newPassword === undefined) return { ...again, problem: 'incomplete' };
    const { current, chosen, repeated } = newPassword;
    if (chosen !== repeated) return { ...again, problem: 'mismatch' };
    if (!(await this.forms.claim(form))) return { ...asked, problem: { kind: 'form-used' } };
    const problem = await this.change(form, { current, chosen, clientAddress });
    if (problem !== undefined) return { ...again, problem };
    const accepted = await this.logIn(form, chosen, clientAddress);
    if (accepted === undefined) return { ...asked, problem: { kind: 'password-changed' } };
    const { login, typed } = form;
    const finished = { login, typed, previous: session, isNewPassword: true };
    return this.continuation.afterLogin(accepted, finished);
  }

  private async change(
    { handler, typed: { username } }: NewPasswordForm,
    given: Pick<NewPassword, 'current' | 'chosen'> & { readonly clientAddress: string },
  ): Promise<NewPasswordRequired['problem']> {
    const { current: password, chosen: newPassword, clientAddress } = given;
    try {
      return await this.changes.change({ handler, username, password, newPassword, clientAddress });
    } catch (error) {
      if (!(error instanceof ThrottledError)) throw error;
      return { kind: 'throttled', retryAfter: error.retryAfter };
    }
  }

  /** The password is changed, so a login that fails must not hide it: a directory may need time until all servers have it. */
  private async logIn(
    { typed: { username } }: NewPasswordForm,
    password: string,
    clientAddress: string,
  ): Promise<AcceptedLogin | undefined> {
    const type = 'UsernamePasswordCredential';
    const context = { clientAddress, entryPoint: 'login' } as const;
    try {
      const credential = { type, username, password, form: new Map() } as const;
      return await this.authenticator.authenticate(credential, context);
    } catch (error) {
      log.warn({ username, error }, 'the login with a new password failed');
      return undefined;
    }
  }
}

function requiredOf(
  { handler, typed }: PasswordSubject,
  { application }: CredentialsRequired,
): NewPasswordRequired {
  return { kind: 'new-password-required', application, handler, typed };
}
