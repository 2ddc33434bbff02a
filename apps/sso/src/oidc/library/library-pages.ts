// The pages that the library asks for: its faults, where the browser cannot be sent back to the application, and devices.
import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import type { Client, ErrorOut, KoaContextWithOIDC } from 'oidc-provider';
import type { Answer } from '@tessera/server';
import { Pages } from '../../login/pages.js';
import type { CookieState } from './cookie-state.js';
import { formSecretOf } from './form-secret.js';

/** Why a page asks for the code of a device once more. */
type CodeProblem = 'missing' | 'not-found' | 'ended' | 'again';

export interface DeviceForm {
  /** That the form must send back. */
  readonly secret: string;
  readonly userCode: string;
  readonly problem?: CodeProblem | undefined;
}

@Injectable()
export class LibraryPages {
  constructor(private readonly pages: Pages) {}

  readonly showError = async (
    ctx: KoaContextWithOIDC,
    { error, error_description: description }: ErrorOut,
  ): Promise<void> => {
    const isOurs = error === 'server_error';
    const answer = await this.pages.renderMessage(ctx.req as Request, {
      status: ctx.status,
      key: isOurs ? 'error.server' : 'error.request',
      detail: isOurs ? undefined : [error, description].filter(Boolean).join(': '),
      next: { href: this.pages.loginPage, key: 'error.signIn' },
    });
    show(ctx, answer);
  };

  /** @param seconds after which the same request makes sense */
  async askToWait(ctx: KoaContextWithOIDC, seconds: number): Promise<void> {
    const request = ctx.req as Request;
    const answer = await this.pages.renderMessage(request, {
      status: 429,
      key: 'error.throttled',
      headers: { 'Retry-After': String(seconds) },
      seconds: String(seconds),
      next: { href: request.originalUrl, key: 'error.again' },
    });
    show(ctx, answer);
  }

  /** After a code that is wrong, and where a request for a device has failed. */
  readonly askForCode = async (
    ctx: KoaContextWithOIDC,
    _form: string,
    out?: ErrorOut,
    error?: Error & { readonly userCode?: string },
  ): Promise<void> => {
    const request = ctx.req as Request;
    const { tgt } = ctx.state as CookieState;
    if (out !== undefined && (out.error === 'server_error' || tgt === undefined)) {
      return this.showError(ctx, out);
    }
    if (error?.name === 'AbortedError') {
      const isOurs = error.cause !== undefined && !hasRefused(ctx);
      return show(ctx, await this.renderRefusal(request, isOurs));
    }
    const { userCode = '', name = '' } = error ?? {};
    const problem = PROBLEMS[name] ?? 'again';
    const secret = formSecretOf(tgt ?? '');
    show(ctx, await this.renderForm(request, { secret, userCode, problem }));
  };

  /** The user compares the code with that of the device. */
  readonly confirmCode = async (
    ctx: KoaContextWithOIDC,
    { clientId, clientName }: Client,
    userCode: string,
  ): Promise<void> => {
    const { tgt = '' } = ctx.state as CookieState;
    const application = { name: clientName ?? clientId };
    const model = { step: 'confirm', application, secret: formSecretOf(tgt), userCode };
    show(ctx, await this.pages.render(ctx.req as Request, { status: 200, view: 'device', model }));
  };

  readonly showConnected = async (ctx: KoaContextWithOIDC): Promise<void> => {
    show(ctx, await this.renderEnd(ctx.req as Request, true));
  };

  get loginPage(): string {
    return this.pages.loginPage;
  }

  /** The page where a user enters the code of a device. */
  renderForm(request: Request, form: DeviceForm): Promise<Answer> {
    const status = form.problem === undefined ? 200 : 400;
    return this.pages.render(request, { status, view: 'device', model: { step: 'code', ...form } });
  }

  /** @param isOurs false where the user has refused */
  private renderRefusal(request: Request, isOurs: boolean): Promise<Answer> {
    if (!isOurs) return this.renderEnd(request, false);
    return this.pages.renderMessage(request, {
      status: 403,
      key: 'refused.user',
      next: { href: this.pages.loginPage, key: 'refused.user.session' },
    });
  }

  private renderEnd(request: Request, isConnected: boolean): Promise<Answer> {
    return this.pages.render(request, { status: 200, view: 'device-end', model: { isConnected } });
  }
}

/** At the page of consent. */
function hasRefused({ oidc }: KoaContextWithOIDC): boolean {
  return oidc.entities.Interaction?.result?.['error'] === 'access_denied';
}

/** By the names of the library's errors. */
const PROBLEMS: Readonly<Record<string, CodeProblem>> = {
  NoCodeError: 'missing',
  NotFoundError: 'not-found',
  ExpiredError: 'ended',
  AlreadyUsedError: 'ended',
};

function show(ctx: KoaContextWithOIDC, { status, headers, type, body }: Answer): void {
  ctx.status = status;
  ctx.set(headers as Record<string, string>);
  ctx.type = type;
  ctx.body = body;
}
