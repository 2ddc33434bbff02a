// The faults of the library as pages, where the browser cannot be sent back to the application.
import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import type { ErrorOut, KoaContextWithOIDC } from 'oidc-provider';
import { Pages } from '../login/pages.js';

@Injectable()
export class OidcErrorPages {
  constructor(private readonly pages: Pages) {}

  readonly render = async (
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
    ctx.set({ 'X-Content-Type-Options': 'nosniff', ...(answer.headers as Record<string, string>) });
    ctx.type = answer.type;
    ctx.body = answer.body;
  };
}
