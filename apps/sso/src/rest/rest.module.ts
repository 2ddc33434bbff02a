// The optional module `rest`.
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
import { TicketRequestReader } from './ticket-request-reader.js';
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
        extractors: readonly CredentialExtractor[],
        addresses: ClientAddresses,
        settings: RequestSettings,
        ...others: [Authenticator, TicketGranting]
      ) =>
        new RestLogin(new TicketRequestReader(extractors), ...others, (request) => {
          // Pins the settings, so that the answer uses the same ones as the authentication.
          settings.of(request);
          return { clientAddress: addresses.of(request), entryPoint: 'rest' };
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
