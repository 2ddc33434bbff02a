// The interactions of the library: authorization requests that wait for the login page or for consent.
import type { IncomingMessage } from 'node:http';
import { Injectable } from '@nestjs/common';
import type { Provider } from 'oidc-provider';
import type { RegisteredClient } from '@tessera/services';
import type { GrantingTicketHandle } from '@tessera/tickets';
import { BrowserSession, handleIn, type Session } from '../../login/browser-session.js';
import type { SignInApplication } from '../../login/login-outcome.js';
import { imageOrigin, webHostOf } from '../../login/pages.js';
import { Clients } from '../clients/clients.js';
import { needsCredentials } from './interaction-policy.js';
import { OidcProvider } from '../oidc-provider.js';

export type Interaction = InstanceType<Provider['Interaction']>;

/** With the session that the browser has now. */
export interface BrowserInteraction {
  readonly interaction: Interaction;
  readonly session: Session | undefined;
}

/** The user of a session was at the login page for an interaction. */
interface LoginPageVisit {
  readonly session: GrantingTicketHandle;
  /** Whether the user has given credentials. */
  readonly withCredentials: boolean;
}

@Injectable()
export class Interactions {
  constructor(
    private readonly provider: OidcProvider,
    private readonly clients: Clients,
    private readonly sessions: BrowserSession,
  ) {}

  /** @param uid any text */
  find(uid: string): Promise<Interaction | undefined> {
    return this.provider.current.Interaction.find(uid);
  }

  /** That of this browser: its cookie has the same id as the address. */
  async ofBrowser(request: IncomingMessage, uid: string): Promise<BrowserInteraction | undefined> {
    const name = this.provider.current.cookieName('interaction');
    const values = (request.headers.cookie ?? '').split(';').map((pair) => pair.trim());
    const interaction = values.includes(`${name}=${uid}`) ? await this.find(uid) : undefined;
    return interaction && { interaction, session: await this.sessions.of(request) };
  }

  clientOf({ params }: Interaction): RegisteredClient | undefined {
    const id = params['client_id'];
    return typeof id === 'string' ? this.registrationOf(id) : undefined;
  }

  registrationOf(clientId: string): RegisteredClient | undefined {
    return this.clients.registrationOf(clientId);
  }

  /** As people know the client. */
  applicationOf(interaction: Interaction): SignInApplication | undefined {
    const client = this.clientOf(interaction);
    if (client === undefined) return undefined;
    const { login_hint: hint, redirect_uri: address } = interaction.params;
    const { name, ssoEnabled, properties } = client;
    const { logo } = properties;
    return {
      name,
      host: webHostOf(String(address)),
      logo: imageOrigin(logo) === undefined ? undefined : logo,
      ssoEnabled,
      ...(typeof hint === 'string' && { username: hint }),
    };
  }

  /** Whether it asks for more than a session. */
  needsCredentials({ prompt }: Interaction): boolean {
    return prompt.name === 'login' && needsCredentials(prompt.reasons);
  }

  /** Stores what the login page has found. Nothing of it travels, so no key of ours is enough to make it up. */
  async recordVisit(interaction: Interaction, visit: LoginPageVisit): Promise<void> {
    interaction.result = { visit };
    await interaction.persist();
  }

  /** Whether the login page has seen the user of the session for it, with credentials where they are needed. */
  isAnswered(interaction: Interaction, session: Session): boolean {
    const visit = interaction.result?.['visit'] as LoginPageVisit | undefined;
    if (visit?.session !== handleIn(session)) return false;
    return visit.withCredentials || !this.needsCredentials(interaction);
  }

  get issuer(): string {
    return this.provider.issuer;
  }
}
