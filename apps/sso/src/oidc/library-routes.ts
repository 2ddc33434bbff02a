// The routes of the library, below the issuer.
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { ExpressAdapter } from '@nestjs/platform-express';
import type { Express, NextFunction, Request, Response } from 'express';
import { ssoConfig } from '../settings/namespaces.js';
import type { SsoSettings } from '../settings/sso-settings.js';
import { LIBRARY_PATHS } from './endpoints.js';
import { OidcProvider } from './oidc-provider.js';

@Injectable()
export class LibraryRoutes implements OnModuleInit {
  constructor(
    private readonly adapterHost: HttpAdapterHost<ExpressAdapter>,
    private readonly provider: OidcProvider,
    @Inject(ssoConfig.KEY) private readonly settings: Pick<SsoSettings, 'contextPath'>,
  ) {}

  onModuleInit(): void {
    const express = this.adapterHost.httpAdapter.getInstance<Express>();
    for (const path of LIBRARY_PATHS) {
      express.all(
        `${this.prefix}${path}`,
        (request: Request, response: Response, next: NextFunction) => {
          // HEAD must change nothing, and the library would grant a code.
          if (request.method === 'HEAD') return next();
          this.pass(request, response);
        },
      );
    }
  }

  /** The library answers a request for a path below the issuer. */
  pass(request: Request, response: Response): void {
    request.url = request.url.slice(this.prefix.length);
    this.provider.handle(request, response);
  }

  private get prefix(): string {
    return `${this.settings.contextPath}/oidc`;
  }
}
