import type { IncomingMessage } from 'node:http';
import { Injectable } from '@nestjs/common';
import { ClientAddresses } from '@tessera/server';
import type { AuthenticationContext } from '../authentication/authenticator.js';
import { RequestSettings } from '../request-settings.js';

@Injectable()
export class LoginContext {
  constructor(
    private readonly settings: RequestSettings,
    private readonly addresses: ClientAddresses,
  ) {}

  /** Also pins the settings of the request, so that its answer follows the settings that check the credential. */
  of(request: IncomingMessage): AuthenticationContext {
    this.settings.of(request);
    return { clientAddress: this.addresses.of(request), entryPoint: 'rest' };
  }
}
