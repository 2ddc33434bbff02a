import { Module } from '@nestjs/common';
import { ClientAddresses, PROCESS_PARTS } from '@tessera/server';
import { configServerConfig } from '../settings/namespaces.js';
import { ClientAddressesModule } from './client-addresses.module.js';
import { CALLERS } from './callers.js';
import { openCallers } from './open-callers.js';

@Module({
  imports: [ClientAddressesModule],
  providers: [
    {
      provide: CALLERS,
      inject: [configServerConfig.KEY, ClientAddresses, PROCESS_PARTS],
      useFactory: openCallers,
    },
  ],
  exports: [CALLERS],
})
export class CallersModule {}
