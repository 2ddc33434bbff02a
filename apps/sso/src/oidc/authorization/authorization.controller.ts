// Authorization requests by a form. @see OpenID Connect Core 1.0, section 3.1.2.1
import { Controller, Inject, NotFoundException, Post, Req, UseFilters } from '@nestjs/common';
import type { Request } from 'express';
import { type Answer, BodyForm, Form, redirect } from '@tessera/server';
import { PageErrorsFilter } from '../../login/page-errors.filter.js';
import { ssoConfig } from '../../settings/namespaces.js';
import type { SsoSettings } from '../../settings/sso-settings.js';
import { ENDPOINTS } from '../paths/endpoints.js';

@Controller(`oidc${ENDPOINTS.authorization}`)
@UseFilters(PageErrorsFilter)
export class AuthorizationController {
  constructor(@Inject(ssoConfig.KEY) private readonly settings: Pick<SsoSettings, 'contextPath'>) {}

  /** Browsers send a cookie with `SameSite=Lax` along with a link of another site, but not with its form. */
  @Post()
  goOnByGet(@BodyForm() form: Form, @Req() { path }: Request): Answer {
    const own = `${this.settings.contextPath}/oidc${ENDPOINTS.authorization}`;
    if (path !== own) throw new NotFoundException();
    const parameters = [...form.except()].flatMap(([name, values]) =>
      values.map((value): [string, string] => [name, value]),
    );
    return redirect(303, `${own}?${new URLSearchParams(parameters).toString()}`);
  }
}
