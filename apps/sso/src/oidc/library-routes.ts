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
    const prefix = `${this.settings.contextPath}/oidc`;
    const express = this.adapterHost.httpAdapter.getInstance<Express>();
    for (const path of LIBRARY_PATHS) {
      express.all(
        `${prefix}${path}`,
        (request: Request, response: Response, next: NextFunction) => {
          // HEAD must change nothing, and the library would grant a code.
          if (request.method === 'HEAD') return next();
          request.url = request.url.slice(prefix.length);
          this.provider.handle(request, response);
        },
      );
    }
  }
}
