import { Module } from '@nestjs/common';
import { outgoingConfig } from '../settings/namespaces.js';
import type { OutgoingSettings } from '../settings/outgoing-settings.js';
import { OutgoingClient } from './outgoing-client.js';

@Module({
  providers: [
    {
      provide: OutgoingClient,
      inject: [outgoingConfig.KEY],
      useFactory: (settings: OutgoingSettings) => new OutgoingClient(settings),
    },
  ],
  exports: [OutgoingClient],
})
export class OutgoingModule {}
