// Answers /login: turns what the login decided into a page or a redirect.
import { Inject, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { type Answer, queryText, redirect } from '@tessera/server';
import type { StartedSession } from './browser-session.js';
import { LoginForms, type LoginStep, type Typed } from './login-forms.js';
import type {
  FormProblem,
  LoginOutcome,
  NewPasswordRequired,
  PasswordNotice,
  ServiceRefused,
  SignedIn,
  SignInApplication,
} from './login-outcome.js';
import type { LoginRequest } from './login-request.js';
import { type Page, Pages } from './pages.js';
import { passwordAnswer, problemAnswer } from './problem-answers.js';
import { toAscii } from '../protocol/redirect-url.js';
import { SessionCookie } from './session-cookie.js';
import { ssoConfig } from '../settings/namespaces.js';
import type { SsoSettings } from '../settings/sso-settings.js';

const DAY_MS = 24 * 60 * 60 * 1_000;

/** A request to /login. */
export interface LoginExchange {
  readonly request: Request;
  readonly login: LoginRequest;
  readonly typed?: Typed;
}

@Injectable()
export class LoginAnswers {
  constructor(
    private readonly forms: LoginForms,
    private readonly pages: Pages,
    private readonly cookie: SessionCookie,
    @Inject(ssoConfig.KEY) private readonly settings: SsoSettings,
  ) {}

  async to(exchange: LoginExchange, outcome: LoginOutcome): Promise<Answer> {
    switch (outcome.kind) {
      case 'logged-in':
        return this.startSession(exchange, outcome.session, outcome.next);
      case 'credentials-required':
        return this.showForm(exchange, outcome.application, outcome.problem);
      case 'confirmation-required': {
        const form = await this.formOf({ step: 'confirmation' }, exchange, outcome.application);
        return this.pages.render(exchange.request, { status: 200, view: 'confirm', ...form });
      }
      case 'signed-in':
        return this.showSession(exchange, outcome);
      case 'password-notice':
        return this.showNotice(exchange, outcome);
      case 'new-password-required':
        return this.askForPassword(exchange, outcome);
      case 'session-page':
        return redirect(302, this.pages.loginPage);
      case 'redirect':
        return redirect(302, outcome.url);
      case 'post': {
        const { url, parameter, ticket } = outcome;
        const model = { url, parameter, ticket };
        return this.pages.render(exchange.request, { status: 200, view: 'post', model });
      }
      case 'service-refused':
        return this.refuse(exchange, outcome);
    }
  }

  private async showSession(
    { request, login }: LoginExchange,
    { session, ...lists }: SignedIn,
  ): Promise<Answer> {
    const { tgt, warn, expiresAt } = session;
    const { principal, authenticatedAt, handler } = session.authentication;
    const username = principal.id;
    const typed = { username, warn, rememberMe: expiresAt !== undefined };
    // The name in a directory may be another one than the id.
    const mayChange = handler === 'accounts' && this.settings.passwords.accountsChange;
    const step = { step: 'notice', tgt, handler, typed } as const;
    const execution = mayChange ? await this.forms.issue(step, login) : undefined;
    const model = { ...lists, username, authenticatedAt, execution };
    return this.pages.render(request, { status: 200, view: 'signed-in', model });
  }

  private async refuse({ request }: LoginExchange, refused: ServiceRefused): Promise<Answer> {
    const { reason, application, redirectUrl } = refused;
    if (redirectUrl !== undefined) return redirect(302, toAscii(redirectUrl));
    const next = {
      href: this.pages.loginPage,
      key: reason === 'user' ? 'refused.user.session' : 'error.signIn',
    };
    // Nobody is refused an authorization request that has ended: the link is of no use.
    const status = reason === 'expired' ? 400 : 403;
    const message = { status, key: `refused.${reason}`, application, next };
    return this.pages.renderMessage(request, message);
  }

  private async startSession(
    exchange: LoginExchange,
    session: StartedSession,
    next: LoginOutcome,
  ): Promise<Answer> {
    const { typed } = exchange;
    const content = { ...session, warn: typed?.warn ?? false };
    const cookie = await this.cookie.written(content);
    const answer = await this.to(exchange, next);
    return answer.withCookie(cookie);
  }

  private async showNotice(exchange: LoginExchange, notice: PasswordNotice): Promise<Answer> {
    const { tgt, handler, typed, application, expiry } = notice;
    const step = { step: 'notice', tgt, handler, typed } as const;
    const { model, image } = await this.formOf(step, exchange, application);
    return this.pages.render(exchange.request, {
      status: 200,
      view: 'password-notice',
      model: { ...model, ...expiry, daysLeft: daysUntil(expiry.expiresAt) },
      image,
    });
  }

  private async askForPassword(
    exchange: LoginExchange,
    { handler, typed, application, problem }: NewPasswordRequired,
  ): Promise<Answer> {
    const step = { step: 'new-password', handler, typed } as const;
    const { model, image } = await this.formOf(step, exchange, application);
    const { dialect, passwords } = this.settings;
    const { status, message, seconds } = passwordAnswer(problem, dialect);
    const { minLength } = passwords;
    return this.pages.render(exchange.request, {
      status,
      view: 'new-password',
      model: { ...model, username: typed.username, minLength, message, seconds },
      image,
      ...(seconds !== undefined && { headers: { 'Retry-After': String(seconds) } }),
    });
  }

  private async showForm(
    exchange: LoginExchange,
    application: SignInApplication | undefined,
    problem: FormProblem | undefined,
  ): Promise<Answer> {
    const { dialect, tickets } = this.settings;
    const { status, message, seconds } = problemAnswer(problem, dialect);
    const { model, image } = await this.formOf({ step: 'credentials' }, exchange, application);
    return this.pages.render(exchange.request, {
      status,
      view: 'login',
      model: {
        ...model,
        ...(exchange.typed ?? { ...exchange.login, username: application?.username }),
        offersRememberMe: tickets.tgtRememberMeLifetime > 0,
        message,
        seconds,
      },
      image,
      ...(seconds !== undefined && { headers: { 'Retry-After': String(seconds) } }),
    });
  }

  private async formOf(
    step: LoginStep,
    { request, login }: LoginExchange,
    application: SignInApplication | undefined,
  ): Promise<Pick<Page, 'model' | 'image'>> {
    const query = queryText(request);
    return {
      model: {
        action: `${this.settings.contextPath}/login${query && `?${query}`}`,
        execution: await this.forms.issue(step, login),
        application,
      },
      image: application?.logo,
    };
  }
}

/** Whole days, rounded down. */
function daysUntil(time: Date | undefined): number | undefined {
  return time && Math.max(0, Math.floor((time.getTime() - Date.now()) / DAY_MS));
}
