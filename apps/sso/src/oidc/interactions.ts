// The interactions of the library: authorization requests that wait for the login page or for consent.
import type { IncomingMessage } from 'node:http';
import { Injectable } from '@nestjs/common';
import type { Provider } from 'oidc-provider';
import type { RegisteredClient } from '@tessera/services';
import { Clients } from './clients.js';
import { needsCredentials } from './interaction-policy.js';
import { OidcProvider } from './oidc-provider.js';

export type Interaction = InstanceType<Provider['Interaction']>;

@Injectable()
export class Interactions {
  constructor(
    private readonly provider: OidcProvider,
    private readonly clients: Clients,
  ) {}

  /** @param uid any text */
  find(uid: string): Promise<Interaction | undefined> {
    return this.provider.current.Interaction.find(uid);
  }

  /** That of this browser: its cookie has the same id as the address. */
  async ofBrowser(request: IncomingMessage, uid: string): Promise<Interaction | undefined> {
    const name = this.provider.current.cookieName('interaction');
    const values = (request.headers.cookie ?? '').split(';').map((pair) => pair.trim());
    return values.includes(`${name}=${uid}`) ? this.find(uid) : undefined;
  }

  clientOf({ params }: Interaction): RegisteredClient | undefined {
    const id = params['client_id'];
    return typeof id === 'string' ? this.registrationOf(id) : undefined;
  }

  registrationOf(clientId: string): RegisteredClient | undefined {
    return this.clients.registrationOf(clientId);
  }

  /** Whether it asks for more than a session. */
  needsCredentials({ prompt }: Interaction): boolean {
    return prompt.name === 'login' && needsCredentials(prompt.reasons);
  }

  get issuer(): string {
    return this.provider.issuer;
  }
}
