// Single logout: tells services when a session ends.
import { Module } from '@nestjs/common';
import { CoreModule } from '../core.module.js';
import { OutgoingModule } from '../outgoing/outgoing.module.js';
import { LogoutDelivery } from './logout-delivery.js';
import { LogoutProtocolsModule } from './logout-protocols.module.js';
import { LogoutSender } from './logout-sender.js';

@Module({
  imports: [CoreModule, OutgoingModule, LogoutProtocolsModule],
  providers: [LogoutDelivery, LogoutSender],
})
export class LogoutModule {}
