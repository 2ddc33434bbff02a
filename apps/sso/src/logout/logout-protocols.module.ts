// The protocols of single logout: for the delivery of messages, the logout page, and modules with a protocol of their own.
import { Module } from '@nestjs/common';
import { CoreModule } from '../core.module.js';
import { CasLogout } from './cas-logout.js';
import { LogoutProtocols } from './logout-protocols.js';

@Module({
  imports: [CoreModule],
  providers: [LogoutProtocols, CasLogout],
  exports: [LogoutProtocols],
})
export class LogoutProtocolsModule {}
