// Ends grants for the library, and records where a code or a refresh token that was used twice is the reason.
import { Injectable } from '@nestjs/common';
import { Provider } from 'oidc-provider';
import { loggerFor } from '@tessera/logging';
import { OidcEvents } from '../oidc-events.js';
import { OidcStore } from './oidc-store.js';

const log = loggerFor('oidc');

@Injectable()
export class Revocations {
  constructor(
    private readonly store: OidcStore,
    private readonly events: OidcEvents,
  ) {}

  /** The library asks for it several times at once; one of them ends the grant. */
  async revoke(grantId: string): Promise<void> {
    const ended = await this.store.revoke(grantId);
    if (ended === undefined || Provider.ctx?.oidc.route !== 'token') return;
    const { clientId: client, principal } = ended;
    log.warn({ client, principal }, 'a code or token was used twice: all tokens of the grant end');
    this.events.record({ type: 'revoked', cause: 'reuse', client, principal });
  }
}
