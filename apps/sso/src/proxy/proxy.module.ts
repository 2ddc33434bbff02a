import { Module } from '@nestjs/common';
import { CoreModule } from '../core.module.js';
import { OutgoingModule } from '../outgoing/outgoing.module.js';
import { ProxyCallback } from './proxy-callback.js';
import { ProxyController } from './proxy.controller.js';

@Module({
  imports: [CoreModule, OutgoingModule],
  controllers: [ProxyController],
  providers: [ProxyCallback],
  exports: [ProxyCallback],
})
export class ProxyModule {}
