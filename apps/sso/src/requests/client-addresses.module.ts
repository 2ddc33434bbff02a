import { Module } from '@nestjs/common';
import { ClientAddresses } from '@tessera/server';
import { ssoConfig } from '../settings/namespaces.js';
import type { SsoSettings } from '../settings/sso-settings.js';

@Module({
  providers: [
    {
      provide: ClientAddresses,
      inject: [ssoConfig.KEY],
      useFactory: ({ proxies }: SsoSettings) => new ClientAddresses(proxies.forwarding()),
    },
  ],
  exports: [ClientAddresses],
})
export class ClientAddressesModule {}
