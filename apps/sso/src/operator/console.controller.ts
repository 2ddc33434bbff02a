// The console: a page with scripts, which calls the operator's API. `npm run build` makes it from apps/console.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Controller, Get, Inject, NotFoundException, Param, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { type Answer, html, text, managementPath } from '@tessera/server';
import { addressAtOwnHost, managementUrl } from '../settings/operator-settings.js';
import type { SsoSettings } from '../settings/sso-settings.js';
import { ssoConfig } from '../settings/namespaces.js';

/** Where `npm run build` writes it, beside the built application. */
const DIRECTORY = fileURLToPath(new URL('../../../console/', import.meta.url));
const YEAR_MS = 31_536_000_000;
/** Names change with the content. */
const FILES = { root: join(DIRECTORY, 'assets'), maxAge: YEAR_MS, immutable: true };

@Controller(managementPath(''))
export class ConsoleController {
  constructor(@Inject(ssoConfig.KEY) private readonly settings: SsoSettings) {}

  @Get()
  begin(): Answer {
    return text(303, '', { Location: '/console/' });
  }

  /** Scripts and styles. */
  @Get('console/assets/:name')
  sendFile(@Param('name') name: string, @Res() response: Response): Promise<void> {
    response.setHeader('X-Content-Type-Options', 'nosniff');
    return new Promise((resolve, reject) => {
      response.sendFile(name, FILES, (error: unknown) => {
        if (error === undefined || response.headersSent) resolve();
        else reject(new NotFoundException());
      });
    });
  }

  @Get(['console', 'console/*path'])
  async show(@Req() request: Request): Promise<Answer> {
    const elsewhere = addressAtOwnHost(request, this.settings);
    if (elsewhere !== undefined) return text(303, '', { Location: elsewhere });
    const body = await readFile(join(DIRECTORY, 'index.html'));
    return html({ body, baseUrl: managementUrl(this.settings), policy: this.policy });
  }

  private get policy(): string {
    const sso = new URL(this.settings.baseUrl).origin;
    return [
      "default-src 'none'",
      ...['script', 'style', 'font', 'connect'].map((kind) => `${kind}-src 'self'`),
      "img-src 'self' data:",
      `form-action 'self' ${sso}`,
      "base-uri 'none'",
      "frame-ancestors 'none'",
    ].join('; ');
  }
}
