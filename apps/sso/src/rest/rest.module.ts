// Module `rest`: REST tickets.
import { Module } from '@nestjs/common';
import { AuthenticationModule } from '../authentication/authentication.module.js';
import { CoreModule } from '../core.module.js';
import { RestLogin } from './rest-login.js';
import { TicketRequestReader } from './ticket-request-reader.js';
import { TicketsController } from './tickets.controller.js';

@Module({
  imports: [CoreModule, AuthenticationModule],
  controllers: [TicketsController],
  providers: [TicketRequestReader, RestLogin],
})
export class RestModule {}
