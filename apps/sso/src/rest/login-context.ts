import type { IncomingMessage } from 'node:http';
import { Inject, Injectable } from '@nestjs/common';
import { ClientAddresses } from '@tessera/server';
import type { AuthenticationContext } from '../authentication/authenticator.js';
import { RequestSettings } from '../request-settings.js';

@Injectable()
export class LoginContext {
  constructor(
    @Inject(RequestSettings) private readonly settings: RequestSettings,
    @Inject(ClientAddresses) private readonly addresses: ClientAddresses,
  ) {}

  /** Also pins the settings of the request, so that its answer follows the settings that check the credential. */
  of(request: IncomingMessage): AuthenticationContext {
    this.settings.of(request);
    return { clientAddress: this.addresses.of(request), entryPoint: 'rest' };
  }
}
