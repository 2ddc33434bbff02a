// The console: a page with scripts, which calls the operator's API. `npm run build` makes it from apps/console.
import { readFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { All, Controller, Get, Inject, type OnModuleInit, Res } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { ExpressAdapter } from '@nestjs/platform-express';
import { LiveSettings } from '@tessera/config';
import { RequestError, send, text } from '@tessera/server';
import type { SsoSettings } from '../settings.js';

/** Beside the built application. */
const DIRECTORY = fileURLToPath(new URL('../../../console/', import.meta.url));
const YEAR_SECONDS = 31_536_000;

@Controller()
export class ConsoleController implements OnModuleInit {
  constructor(
    @Inject(LiveSettings) private readonly live: Pick<LiveSettings<SsoSettings>, 'current'>,
    @Inject(HttpAdapterHost) private readonly adapterHost: HttpAdapterHost<ExpressAdapter>,
  ) {}

  /** Sets up the scripts and styles, before the routes exist. Their names change with their content. */
  onModuleInit(): void {
    this.adapterHost.httpAdapter.useStaticAssets(join(DIRECTORY, 'assets'), {
      prefix: '/console/assets',
      index: false,
      redirect: false,
      maxAge: YEAR_SECONDS * 1_000,
      immutable: true,
      setHeaders: (response: ServerResponse) =>
        response.setHeader('X-Content-Type-Options', 'nosniff'),
    });
  }

  @Get()
  begin(@Res() response: ServerResponse): void {
    send(response, text(303, '', { Location: '/console/' }));
  }

  /** The page, for each path that the console itself shows. */
  @Get(['console', 'console/*path'])
  async show(@Res() response: ServerResponse): Promise<void> {
    const { pathname } = new URL(response.req.url ?? '', 'http://localhost');
    if (pathname.startsWith('/console/assets/')) {
      send(response, text(404, 'Not found'));
      return;
    }
    if (pathname === '/console') {
      this.begin(response);
      return;
    }
    const body = await readFile(join(DIRECTORY, 'index.html'));
    send(response, { status: 200, type: 'text/html; charset=utf-8', body, headers: this.headers });
  }

  @All(['', 'console', 'console/*path'])
  other(): never {
    throw new RequestError('METHOD_NOT_ALLOWED', 'Method not allowed', 'GET, HEAD');
  }

  private get headers(): Readonly<Record<string, string>> {
    const sso = new URL(this.live.current.baseUrl).origin;
    const policy = [
      "default-src 'none'",
      ...['script', 'style', 'font', 'connect'].map((kind) => `${kind}-src 'self'`),
      "img-src 'self' data:",
      `form-action 'self' ${sso}`,
      "base-uri 'none'",
      "frame-ancestors 'none'",
    ];
    return {
      'Content-Security-Policy': policy.join('; '),
      'Referrer-Policy': 'no-referrer',
      'X-Frame-Options': 'DENY',
    };
  }
}
