// The interactions of the prompt `consent`: asks the user, and tells the library the answer.
import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { type Answer, type Form, redirect } from '@tessera/server';
import { handleIn } from '../../login/browser-session.js';
import { Pages } from '../../login/pages.js';
import { ConsentForms } from './consent-forms.js';
import { Consents } from './consents.js';
import {
  type BrowserInteraction,
  type Interaction,
  Interactions,
} from '../interaction/interactions.js';

@Injectable()
export class ConsentFlow {
  constructor(
    private readonly interactions: Interactions,
    private readonly consents: Consents,
    private readonly forms: ConsentForms,
    private readonly pages: Pages,
  ) {}

  /** The page, or the way on where all is allowed already. Undefined where this session cannot answer. */
  async ask(
    request: Request,
    { interaction, session }: BrowserInteraction,
  ): Promise<Answer | undefined> {
    const client = this.interactions.clientOf(interaction);
    if (session === undefined || client === undefined) return undefined;
    if (!isForConsent(interaction, handleIn(session))) return undefined;
    const { uid, params } = interaction;
    const username = session.authentication.principal.id;
    const scopes = await this.consents.missing(client, params, username);
    if (scopes.length === 0) return goOn(interaction);
    const application = this.interactions.applicationOf(interaction);
    const action = `${new URL(this.interactions.issuer).pathname}/interaction/${uid}`;
    const execution = await this.forms.seal({ uid, scopes }, session);
    return this.pages.render(request, {
      status: 200,
      view: 'consent',
      model: { action, execution, application, username, scopes },
      image: application?.logo,
      ...(typeof params['ui_locales'] === 'string' && { locales: params['ui_locales'] }),
    });
  }

  /** The way on after the user's answer. Undefined for a form of another page, or where this session cannot answer. */
  async answer(
    form: Form,
    { interaction, session }: BrowserInteraction,
  ): Promise<Answer | undefined> {
    const client = this.interactions.clientOf(interaction);
    if (session === undefined || client === undefined) return undefined;
    if (!isForConsent(interaction, handleIn(session))) return undefined;
    const asked = await this.forms.open(form.one('execution') ?? '', session);
    if (asked?.uid !== interaction.uid) return undefined;
    if (form.one('_eventId') === 'allow') {
      await this.consents.allow(session, client, asked.scopes);
      return goOn(interaction);
    }
    this.consents.deny(session, client, asked.scopes);
    interaction.result = { error: 'access_denied', error_description: 'the user has refused' };
    await interaction.persist();
    return redirect(303, interaction.returnTo);
  }
}

/** Whether it waits for the user of this session: who was asked is the only one to answer. */
function isForConsent({ prompt, session }: Interaction, handle: string): boolean {
  return prompt.name === 'consent' && session?.uid === handle;
}

async function goOn(interaction: Interaction): Promise<Answer> {
  interaction.result = { ...interaction.lastSubmission, consent: {} };
  await interaction.persist();
  return redirect(303, interaction.returnTo);
}
