import { Module } from '@nestjs/common';
import { ClientAddresses } from '@tessera/server';
import { LiveSettings } from '@tessera/config';
import { ClientAddressesModule } from '../client-addresses.module.js';
import { CALLERS } from './callers.js';
import { openCallers } from './open-callers.js';

@Module({
  imports: [ClientAddressesModule],
  providers: [
    { provide: CALLERS, inject: [LiveSettings, ClientAddresses], useFactory: openCallers },
  ],
  exports: [CALLERS],
})
export class CallersModule {}
