// The route /oidc/interaction: where the library sends a browser before it answers an authorization request.
import {
  Controller,
  Get,
  Head,
  NotFoundException,
  Param,
  Post,
  Req,
  UseFilters,
  UseGuards,
} from '@nestjs/common';
import type { Request } from 'express';
import { type Answer, BodyForm, Form, redirect } from '@tessera/server';
import { methodsOf } from './authentication-methods.js';
import { handleIn, type Session } from '../../login/browser-session.js';
import { PageErrorsFilter } from '../../login/page-errors.filter.js';
import { Pages } from '../../login/pages.js';
import { SameOriginGuard } from '../../login/same-origin.guard.js';
import { ConsentFlow } from '../consent/consent-flow.js';
import { type Interaction, Interactions } from './interactions.js';

@Controller('oidc/interaction/:uid')
@UseFilters(PageErrorsFilter)
export class InteractionController {
  constructor(
    private readonly interactions: Interactions,
    private readonly consents: ConsentFlow,
    private readonly pages: Pages,
  ) {}

  /** HEAD must change nothing. */
  @Head()
  refuseHead(): never {
    throw new NotFoundException();
  }

  @Get()
  async show(@Param('uid') uid: string, @Req() request: Request): Promise<Answer> {
    const found = await this.interactions.ofBrowser(request, uid);
    if (found === undefined) return this.refuse(request);
    const { interaction, session } = found;
    if (interaction.prompt.name === 'consent') {
      return (await this.consents.ask(request, found)) ?? this.refuse(request);
    }
    return session && this.interactions.isAnswered(interaction, session)
      ? this.finish(interaction, session)
      : this.askForLogin(interaction);
  }

  /** The answer of a user who was asked for consent. */
  @Post()
  @UseGuards(SameOriginGuard)
  async decide(
    @Param('uid') uid: string,
    @BodyForm() form: Form,
    @Req() request: Request,
  ): Promise<Answer> {
    const found = await this.interactions.ofBrowser(request, uid);
    return (found && (await this.consents.answer(form, found))) ?? this.refuse(request);
  }

  private askForLogin(interaction: Interaction): Answer {
    const { ui_locales: locales } = interaction.params;
    const query = new URLSearchParams({ interaction: interaction.uid });
    if (this.interactions.needsCredentials(interaction)) query.set('renew', 'true');
    const locale = typeof locales === 'string' ? this.pages.localeAmong(locales) : undefined;
    if (locale !== undefined) query.set('locale', locale);
    return redirect(302, `${this.pages.loginPage}?${query.toString()}`);
  }

  /** The library goes on, with the session that the browser has now. */
  private async finish(interaction: Interaction, session: Session): Promise<Answer> {
    const { authentication } = session;
    const uid = handleIn(session);
    const accountId = authentication.principal.id;
    interaction.session = { accountId, uid, cookie: uid };
    interaction.result = {
      login: {
        accountId,
        ts: Math.floor(authentication.authenticatedAt.getTime() / 1_000),
        amr: methodsOf(authentication),
      },
    };
    await interaction.persist();
    return redirect(303, interaction.returnTo);
  }

  private refuse(request: Request): Promise<Answer> {
    return this.pages.renderMessage(request, {
      status: 400,
      key: 'refused.expired',
      next: { href: this.pages.loginPage, key: 'error.signIn' },
    });
  }
}
