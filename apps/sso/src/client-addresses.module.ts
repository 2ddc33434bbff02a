import { Module } from '@nestjs/common';
import { ClientAddresses } from '@tessera/server';
import { LiveSettings } from '@tessera/config';
import type { SsoSettings } from './settings.js';

@Module({
  providers: [{ provide: ClientAddresses, inject: [LiveSettings], useFactory: clientAddresses }],
  exports: [ClientAddresses],
})
export class ClientAddressesModule {}

async function clientAddresses(live: LiveSettings<SsoSettings>): Promise<ClientAddresses> {
  const forwarding = await live.derive({
    of: ({ proxies }) => proxies,
    make: (proxies) => proxies.forwarding(),
  });
  return new ClientAddresses(() => forwarding.value);
}
