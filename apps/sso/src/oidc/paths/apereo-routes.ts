// Answers at the paths of Apereo CAS, by what answers them here.
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { ExpressAdapter } from '@nestjs/platform-express';
import type { Express, Request } from 'express';
import { queryText } from '@tessera/server';
import { ssoConfig } from '../../settings/namespaces.js';
import type { SsoSettings } from '../../settings/sso-settings.js';
import { APEREO_PATHS, OAUTH_AUTHORIZE, OAUTH_PROFILE } from './apereo-paths.js';
import { Clients } from '../clients/clients.js';
import { rewrite } from '../library/library-routes.js';
import { markProfileRequest, scopesForOAuth } from './oauth-profile.js';

@Injectable()
export class ApereoRoutes implements OnModuleInit {
  constructor(
    private readonly adapterHost: HttpAdapterHost<ExpressAdapter>,
    private readonly clients: Clients,
    @Inject(ssoConfig.KEY) private readonly settings: Pick<SsoSettings, 'contextPath'>,
  ) {}

  /** Comes before the routes of the paths that it leads to. */
  onModuleInit(): void {
    const { contextPath } = this.settings;
    const express = this.adapterHost.httpAdapter.getInstance<Express>();
    for (const [path, target] of Object.entries(APEREO_PATHS)) {
      express.all(`${contextPath}${path}`, (request, _response, next) => {
        const query = this.queryOf(path, request);
        rewrite(request, `${contextPath}/oidc${target}${query === '' ? '' : `?${query}`}`);
        next();
      });
    }
  }

  private queryOf(path: string, request: Request): string {
    const query = new URLSearchParams(queryText(request));
    if (path === OAUTH_AUTHORIZE) this.addScopes(query);
    else if (path === OAUTH_PROFILE) acceptProfileRequest(request, query);
    else return queryText(request);
    return query.toString();
  }

  /** As in Apereo CAS, such a request need not have a scope, and one that it has means nothing. */
  private addScopes(query: URLSearchParams): void {
    const registered = this.clients.registrationOf(query.get('client_id') ?? '');
    if (registered === undefined) return;
    query.set('scope', scopesForOAuth(registered.client.scopes).join(' '));
  }
}

/** The documentation of Apereo CAS has the token in the address. */
function acceptProfileRequest(request: Request, query: URLSearchParams): void {
  markProfileRequest(request);
  const [token, ...others] = query.getAll('access_token');
  const isOnlyOne = others.length === 0 && request.headers.authorization === undefined;
  if (token === undefined || !isOnlyOne) return;
  query.delete('access_token');
  request.headers.authorization = `Bearer ${token}`;
}
