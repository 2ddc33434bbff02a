// Answers /login: turns what the login decided into a page or a redirect.
import { Inject, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { type Answer, queryText, redirect } from '@tessera/server';
import type { RegisteredService } from '@tessera/services';
import { type Dialect, statusOf } from '../protocol/dialect.js';
import type { FormProblem, LoginOutcome, ServiceRefused } from './login-flow.js';
import type { StartedSession } from './browser-session.js';
import { LoginForms, type LoginStep } from './login-forms.js';
import type { LoginRequest } from './login-request.js';
import { imageOrigin, type Page, Pages } from './pages.js';
import { toAscii } from './redirect-url.js';
import { SessionCookie } from './session-cookie.js';
import { ssoConfig } from '../settings/namespaces.js';
import type { SsoSettings } from '../settings/sso-settings.js';

/** A request to /login. */
export interface LoginExchange {
  readonly request: Request;
  readonly login: LoginRequest;
  /** What the user typed, apart from the password. */
  readonly typed?: {
    readonly username: string;
    readonly warn: boolean;
    readonly rememberMe: boolean;
  };
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
        return this.showForm(exchange, outcome.service, outcome.problem);
      case 'confirmation-required': {
        const form = await this.formOf('confirmation', exchange, outcome.service);
        return this.pages.render(exchange.request, { status: 200, view: 'confirm', ...form });
      }
      case 'signed-in': {
        const { session, applications, others } = outcome;
        const { principal, authenticatedAt } = session.authentication;
        const model = { username: principal.id, authenticatedAt, applications, others };
        return this.pages.render(exchange.request, { status: 200, view: 'signed-in', model });
      }
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

  private async refuse({ request }: LoginExchange, refused: ServiceRefused): Promise<Answer> {
    const { reason, application, redirectUrl } = refused;
    if (redirectUrl !== undefined) return redirect(302, toAscii(redirectUrl));
    const next = {
      href: this.pages.loginPage,
      key: reason === 'user' ? 'refused.user.session' : 'error.signIn',
    };
    const message = { status: 403, key: `refused.${reason}`, application, next };
    return this.pages.renderMessage(request, message);
  }

  /** Without a service, the browser goes to the page of its session, so that a reload does not send the form again. */
  private async startSession(
    exchange: LoginExchange,
    session: StartedSession,
    next: LoginOutcome | undefined,
  ): Promise<Answer> {
    const { typed } = exchange;
    const content = { ...session, warn: typed?.warn ?? false };
    const cookie = await this.cookie.written(content);
    const answer =
      next === undefined ? redirect(302, this.pages.loginPage) : await this.to(exchange, next);
    return answer.withCookie(cookie);
  }

  private async showForm(
    exchange: LoginExchange,
    service: RegisteredService | undefined,
    problem: FormProblem | undefined,
  ): Promise<Answer> {
    const { dialect, tickets } = this.settings;
    const { status, message, seconds } = problemAnswer(problem, dialect);
    const { model, image } = await this.formOf('credentials', exchange, service);
    return this.pages.render(exchange.request, {
      status,
      view: 'login',
      model: {
        ...model,
        ...(exchange.typed ?? exchange.login),
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
    service: RegisteredService | undefined,
  ): Promise<Pick<Page, 'model' | 'image'>> {
    const query = queryText(request);
    const given = service?.properties['logo'];
    const logo = imageOrigin(given) === undefined ? undefined : given;
    return {
      model: {
        action: `${this.settings.contextPath}/login${query && `?${query}`}`,
        execution: await this.forms.issue(step, login),
        application: service && {
          name: service.name,
          host: URL.parse(login.service ?? '')?.host,
          logo,
        },
      },
      image: logo,
    };
  }
}

interface ProblemAnswer {
  readonly status: number;
  /** Key of the text. */
  readonly message?: string;
  /** Until another attempt makes sense. */
  readonly seconds?: number;
}

function problemAnswer(problem: FormProblem | undefined, dialect: Dialect): ProblemAnswer {
  switch (problem?.kind) {
    case undefined:
      return { status: 200 };
    case 'credentials-missing':
      return { status: 400, message: 'login.incomplete' };
    case 'credentials-refused':
      return { status: 401, message: 'login.refused' };
    case 'password': {
      const isExpired = problem.code === 'PASSWORD_EXPIRED';
      return {
        status: 401,
        message: isExpired ? 'login.passwordExpired' : 'login.passwordMustChange',
      };
    }
    case 'form-expired':
      return { status: 400, message: 'login.expired' };
    case 'form-used':
      return { status: 400, message: 'login.used' };
    case 'throttled':
      return {
        status: statusOf('throttled', dialect),
        message: 'login.throttled',
        seconds: problem.retryAfter,
      };
  }
}
