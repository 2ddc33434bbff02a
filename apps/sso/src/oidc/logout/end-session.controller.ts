// The route /oidc/session/end, where clients send the browser to sign out. @see OpenID Connect RP-Initiated Logout 1.0
import {
  Controller,
  Get,
  Head,
  NotFoundException,
  Post,
  Req,
  UseFilters,
  UseGuards,
} from '@nestjs/common';
import type { Request } from 'express';
import { type Answer, BodyForm, Form, QueryForm, redirect } from '@tessera/server';
import { BrowserLogout } from '../../login/browser-logout.js';
import { BrowserSession, type Session } from '../../login/browser-session.js';
import { PageErrorsFilter } from '../../login/page-errors.filter.js';
import { Pages, webHostOf } from '../../login/pages.js';
import { SameOriginGuard } from '../../login/same-origin.guard.js';
import { APEREO_LOGOUT } from '../paths/apereo-paths.js';
import {
  type EndSessionRequest,
  EndSessionRequests,
  parametersIn,
} from './end-session-requests.js';

const CONFIRMATION = 'confirm';

@Controller(['oidc/session/end', ...APEREO_LOGOUT])
@UseFilters(PageErrorsFilter)
export class EndSessionController {
  constructor(
    private readonly requests: EndSessionRequests,
    private readonly sessions: BrowserSession,
    private readonly logout: BrowserLogout,
    private readonly pages: Pages,
  ) {}

  /** HEAD must change nothing. */
  @Head()
  refuseHead(): never {
    throw new NotFoundException();
  }

  /** Ends the session where the client shows an ID token of it. Otherwise another site may have sent the browser, so it asks. */
  @Get()
  async show(@QueryForm() query: Form, @Req() request: Request): Promise<Answer> {
    const asked = await this.requests.read(query);
    const sessions = await this.sessions.allOf(request);
    if (await this.isAgreed(asked, sessions)) {
      return this.logout.end(request, sessions, this.requests.nextOf(asked));
    }
    // The page has no token in its address, nor in its links.
    if (query.has('id_token_hint')) return redirect(303, addressOf(request, asked, query));
    return this.ask(request, query, { asked, sessions });
  }

  /** Browsers send a cookie with `SameSite=Lax` along with a link of another site, but not with its form. */
  @Post()
  goOnByGet(@BodyForm() form: Form, @Req() { path }: Request): Answer {
    const query = new URLSearchParams({ ...parametersIn(form) });
    return redirect(303, query.size === 0 ? path : `${path}?${query.toString()}`);
  }

  /** The user has agreed, to the end of the sessions that he was asked about. */
  @Post(CONFIRMATION)
  @UseGuards(SameOriginGuard)
  async confirm(
    @QueryForm() query: Form,
    @BodyForm() form: Form,
    @Req() request: Request,
  ): Promise<Answer> {
    const question = await this.requests.open(form.one('execution'));
    const { asked } = question;
    const sessions = await this.sessions.allOf(request);
    if (this.requests.hasAskedFor(question, sessions)) {
      return this.logout.end(request, sessions, this.requests.nextOf(asked));
    }
    return redirect(303, addressOf(request, asked, query));
  }

  private async isAgreed(
    asked: EndSessionRequest,
    [session, ...others]: readonly Session[],
  ): Promise<boolean> {
    if (session === undefined) return true;
    return others.length === 0 && this.requests.isOf(asked, session);
  }

  private async ask(
    request: Request,
    query: Form,
    {
      asked,
      sessions,
    }: { readonly asked: EndSessionRequest; readonly sessions: readonly Session[] },
  ): Promise<Answer> {
    const client = this.requests.clientOf(asked);
    const host = webHostOf(asked.redirectUri ?? '');
    const execution = await this.requests.seal(asked, sessions);
    const application = client && { name: client.name, host };
    const action = `${request.path}/${CONFIRMATION}${localesIn(query)}`;
    const model = { application, execution, action };
    return this.pages.render(request, { status: 200, view: 'confirm-logout', model });
  }
}

/** Of the question, without a hint. */
function addressOf({ path }: Request, asked: EndSessionRequest, query: Form): string {
  const { ui_locales: locales } = parametersIn(query);
  const parameters = new URLSearchParams({
    ...(asked.clientId && { client_id: asked.clientId }),
    ...(asked.redirectUri && { post_logout_redirect_uri: asked.redirectUri }),
    ...(asked.state && { state: asked.state }),
    ...(locales && { ui_locales: locales }),
  });
  return `${path.replace(`/${CONFIRMATION}`, '')}?${parameters.toString()}`;
}

/** So that the next page has the language of this one. The browser keeps one that the user has chosen here. */
function localesIn(query: Form): string {
  const { ui_locales: locales } = parametersIn(query);
  if (locales === undefined || query.has('locale')) return '';
  return `?${new URLSearchParams({ ui_locales: locales }).toString()}`;
}
