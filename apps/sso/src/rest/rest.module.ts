// Owns the wiring of module `rest`.
import { Module, type DynamicModule } from '@nestjs/common';
import { ClientAddresses } from '@tessera/server';
import { TicketGranting } from '@tessera/tickets';
import { Authenticator } from '../authentication/authenticator.js';
import {
  CREDENTIAL_EXTRACTORS,
  type CredentialExtractor,
} from '../authentication/credential-extractor.js';
import { RequestSettings } from '../request-settings.js';
import { RestLogin } from './rest-login.js';
import { TicketRequests } from './ticket-requests.js';
import { TicketsController } from './tickets.controller.js';

@Module({})
export class RestModule {
  /** @param core the module that provides tickets, authentication and settings */
  static forRoot(core: DynamicModule): DynamicModule {
    const login = {
      provide: RestLogin,
      inject: [
        CREDENTIAL_EXTRACTORS,
        ClientAddresses,
        RequestSettings,
        Authenticator,
        TicketGranting,
      ],
      useFactory: (
        readers: readonly CredentialExtractor[],
        addresses: ClientAddresses,
        settings: RequestSettings,
        ...others: [Authenticator, TicketGranting]
      ) =>
        new RestLogin(new TicketRequests(readers), ...others, (request) => {
          // What is made of the credential is worded by the settings it is judged by.
          settings.of(request);
          return { clientAddress: addresses.of(request), entrance: 'rest' };
        }),
    };
    return {
      module: RestModule,
      imports: [core],
      providers: [login],
      controllers: [TicketsController],
    };
  }
}
