import { Module } from '@nestjs/common';
import { ClientAddresses } from '@tessera/server';
import { configServerConfig } from '../settings/namespaces.js';
import type { ConfigServerSettings } from '../settings/config-server-settings.js';

@Module({
  providers: [
    {
      provide: ClientAddresses,
      inject: [configServerConfig.KEY],
      useFactory: ({ proxies }: ConfigServerSettings) => new ClientAddresses(proxies.forwarding()),
    },
  ],
  exports: [ClientAddresses],
})
export class ClientAddressesModule {}
