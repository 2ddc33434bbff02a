// Decides what /login answers: a form, a page, or what the sign-in continues with.
import { Injectable } from '@nestjs/common';
import { ThrottledError } from '@tessera/throttling';
import type { UsernamePasswordCredential } from '../authentication/authentication-handler.js';
import { type AcceptedLogin, Authenticator } from '../authentication/authenticator.js';
import { PasswordError } from '../authentication/password-error.js';
import type { Session } from './browser-session.js';
import { LoginContinuation } from './login-continuation.js';
import { LoginForms, type LoginFormState, type Typed } from './login-forms.js';
import type { CredentialsRequired, LoginOutcome } from './login-outcome.js';
import type { LoginRequest } from './login-request.js';
import { type NewPassword, PasswordFlow } from './password-flow.js';

/** A form, as a browser sent it. */
export interface SubmittedForm {
  /** Undefined where the field `execution` is not from this server. */
  readonly state: LoginFormState | undefined;
  /** Of the form, or else of the address. */
  readonly login: LoginRequest;
  /** Undefined where the user name or the password is missing. */
  readonly credential: UsernamePasswordCredential | undefined;
  /** Undefined where one of them is missing. */
  readonly newPassword: NewPassword | undefined;
  readonly event: FormEvent;
  readonly typed: Typed;
  readonly clientAddress: string;
  /** The session that the browser has. */
  readonly session: Session | undefined;
}

/** What the user chose on a page with several buttons. */
export type FormEvent = 'submit' | 'change-password';

@Injectable()
export class LoginFlow {
  constructor(
    private readonly continuation: LoginContinuation,
    private readonly authenticator: Authenticator,
    private readonly forms: LoginForms,
    private readonly passwords: PasswordFlow,
  ) {}

  /** The answer to a request for the login page. */
  async begin(login: LoginRequest, session: Session | undefined): Promise<LoginOutcome> {
    const { renew, gateway } = login;
    const form = await this.continuation.ask(login, session);
    if (form.kind === 'service-refused') return form;
    if (session && !renew) {
      const { application } = form;
      if (application === undefined) return this.continuation.describe(session);
      if (session.warn && application.ssoEnabled) {
        return { kind: 'confirmation-required', application };
      }
      const outcome = await this.continuation.proceed(session, login, { withCredentials: false });
      if (outcome && !(gateway && outcome.kind === 'service-refused')) return outcome;
    }
    return this.continuation.leave(login) ?? form;
  }

  /** The state in a field `execution`; undefined for a text that is not from this server. */
  openForm(execution: string): Promise<LoginFormState | undefined> {
    return this.forms.open(execution);
  }

  /** The answer to a form: a login with its credentials, or the confirmation of one. */
  async submit({ state, login, ...submitted }: SubmittedForm): Promise<LoginOutcome> {
    const asked = await this.continuation.ask(login, submitted.session);
    if (asked.kind === 'service-refused') return asked;
    if (state === undefined || this.forms.isExpired(state)) {
      return { ...asked, problem: { kind: 'form-expired' } };
    }
    switch (state.step) {
      case 'credentials':
        return this.logIn(state, submitted, asked);
      case 'confirmation':
        return this.goOn(state, submitted.session, asked);
      case 'notice':
        // It belongs to one login: another user may have signed in since.
        if (submitted.session?.tgt !== state.tgt) return asked;
        return submitted.event === 'change-password'
          ? this.passwords.ask(state, asked)
          : this.goOn(state, submitted.session, asked);
      case 'new-password':
        return this.passwords.submit(state, submitted, asked);
    }
  }

  /** After a page that a user with a session has read. */
  private async goOn(
    form: LoginFormState,
    session: Session | undefined,
    asked: CredentialsRequired,
  ): Promise<LoginOutcome> {
    if (session === undefined) return asked;
    if (!(await this.forms.claim(form))) return { ...asked, problem: { kind: 'form-used' } };
    const options = { withCredentials: form.step === 'notice' };
    return (await this.continuation.proceed(session, form.login, options)) ?? asked;
  }

  private async logIn(
    form: LoginFormState,
    { credential, typed, clientAddress, session: previous }: Omit<SubmittedForm, 'state' | 'login'>,
    asked: CredentialsRequired,
  ): Promise<LoginOutcome> {
    if (credential === undefined) return { ...asked, problem: { kind: 'credentials-missing' } };
    const accepted = await this.authenticate(credential, clientAddress);
    if (accepted instanceof ThrottledError) {
      const { retryAfter } = accepted;
      return { ...asked, problem: { kind: 'throttled', retryAfter } };
    }
    if (accepted instanceof PasswordError) {
      return this.passwords.afterError(accepted, typed, asked);
    }
    if (accepted === undefined) {
      return { ...asked, problem: { kind: 'credentials-refused' } };
    }
    if (!(await this.forms.claim(form))) return { ...asked, problem: { kind: 'form-used' } };
    return this.continuation.afterLogin(accepted, { login: form.login, previous, typed });
  }

  private async authenticate(
    credential: UsernamePasswordCredential,
    clientAddress: string,
  ): Promise<AcceptedLogin | ThrottledError | PasswordError | undefined> {
    try {
      const context = { clientAddress, entryPoint: 'login' } as const;
      return await this.authenticator.authenticate(credential, context);
    } catch (error) {
      if (error instanceof ThrottledError || error instanceof PasswordError) return error;
      throw error;
    }
  }
}
