// The routes of the library, below the issuer.
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { ExpressAdapter } from '@nestjs/platform-express';
import type { Express, NextFunction, Request, Response } from 'express';
import { ssoConfig } from '../../settings/namespaces.js';
import type { SsoSettings } from '../../settings/sso-settings.js';
import {
  DISCOVERY_PATHS,
  ENDPOINTS,
  LIBRARY_PATHS,
  POST_PATHS,
  PUBLIC_PATHS,
} from '../paths/endpoints.js';
import { OidcProvider } from '../oidc-provider.js';

/** The library adds the hash of its own script to `script-src`, for the form that takes an answer to the client. */
const HEADERS = {
  'Content-Security-Policy':
    "default-src 'none'; script-src; base-uri 'none'; frame-ancestors 'none'",
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
};

@Injectable()
export class LibraryRoutes implements OnModuleInit {
  constructor(
    private readonly adapterHost: HttpAdapterHost<ExpressAdapter>,
    private readonly provider: OidcProvider,
    @Inject(ssoConfig.KEY) private readonly settings: Pick<SsoSettings, 'contextPath' | 'oidc'>,
  ) {}

  onModuleInit(): void {
    const express = this.adapterHost.httpAdapter.getInstance<Express>();
    this.addDiscovery(express);
    for (const path of this.paths) {
      const route = `${this.prefix}${path}`;
      const handler = (request: Request, response: Response, next: NextFunction): void => {
        if (!isSpelled(request.path, route)) return next();
        // HEAD must change nothing, and the library would grant a code.
        if (request.method === 'HEAD' && !PUBLIC_PATHS.includes(path)) return next();
        // A form goes on as a link.
        if (request.method === 'POST' && path === ENDPOINTS.authorization) return next();
        this.pass(request, response);
      };
      // Other methods are answered 405, by the router's own table.
      if (POST_PATHS.includes(path)) express.route(route).post(handler).options(handler);
      else express.all(route, handler);
    }
  }

  /** Also where RFC 8414 looks for it: before the path of the issuer. */
  private addDiscovery(express: Express): void {
    for (const path of DISCOVERY_PATHS) {
      express.all(`${path}${this.prefix}`, (request, _response, next) => {
        rewrite(request, `${this.prefix}${path}`);
        next();
      });
    }
  }

  /** The library answers a request for a path below the issuer. */
  pass(request: Request, response: Response): void {
    response.set(HEADERS);
    request.url = request.url.slice(this.prefix.length);
    this.provider.handle(request, response);
  }

  private get paths(): readonly string[] {
    const isOpen = this.settings.oidc.registration !== 'off';
    return isOpen ? [...LIBRARY_PATHS, ENDPOINTS.registration] : LIBRARY_PATHS;
  }

  private get prefix(): string {
    return `${this.settings.contextPath}/oidc`;
  }
}

/** Both routers take a slash at the end, but rate limits are by path. */
function isSpelled(path: string, route: string): boolean {
  const [fixed = '', parameter] = route.split(':');
  return parameter === undefined
    ? path === fixed
    : path.startsWith(fixed) && !path.slice(fixed.length).includes('/');
}

/** The library makes its URLs of the difference between both. */
export function rewrite(request: Request, url: string): void {
  request.url = url;
  request.originalUrl = url;
}
