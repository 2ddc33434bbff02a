// Provides ClientAddresses without trusted proxies, for modules that a test builds.
import type { ValueProvider } from '@nestjs/common';
import { AddressRanges, ClientAddresses } from '@tessera/server';

const NO_PROXIES = AddressRanges.parse([]);

export const directAddresses: ValueProvider<ClientAddresses> = {
  provide: ClientAddresses,
  useValue: new ClientAddresses(() => ({ proxies: NO_PROXIES, header: 'x-forwarded-for' })),
};
