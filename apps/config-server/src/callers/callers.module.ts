import { Module } from '@nestjs/common';
import { IS_FIRST_APPLICATION } from '@tessera/config';
import { ClientAddresses } from '@tessera/server';
import { configServerConfig } from '../settings/namespaces.js';
import { ClientAddressesModule } from '../client-addresses.module.js';
import { CALLERS, FAILED_LOGINS } from './callers.js';
import { openCallers } from './open-callers.js';

@Module({
  imports: [ClientAddressesModule],
  providers: [
    {
      provide: CALLERS,
      inject: [configServerConfig.KEY, ClientAddresses, FAILED_LOGINS, IS_FIRST_APPLICATION],
      useFactory: openCallers,
    },
  ],
  exports: [CALLERS],
})
export class CallersModule {}
