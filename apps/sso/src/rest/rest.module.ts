// Owns the wiring of module `rest`.
import { Module, type DynamicModule } from '@nestjs/common';
import { ClientAddresses } from '@tessera/server';
import { TicketGranting } from '@tessera/tickets';
import { Authenticator } from '../authentication/authenticator.js';
import { CREDENTIAL_READERS, type CredentialReader } from '../authentication/credential-reader.js';
import { RestLogin } from './rest-login.js';
import { TicketRequests } from './ticket-requests.js';
import { TicketsController } from './tickets.controller.js';

@Module({})
export class RestModule {
  /** @param core the module that provides tickets, authentication and settings */
  static forRoot(core: DynamicModule): DynamicModule {
    const login = {
      provide: RestLogin,
      inject: [CREDENTIAL_READERS, Authenticator, TicketGranting, ClientAddresses],
      useFactory: (
        readers: readonly CredentialReader[],
        ...others: [Authenticator, TicketGranting, ClientAddresses]
      ) => new RestLogin(new TicketRequests(readers), ...others),
    };
    return {
      module: RestModule,
      imports: [core],
      providers: [login],
      controllers: [TicketsController],
    };
  }
}
