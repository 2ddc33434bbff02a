// The module that every feature imports: settings, authentication, tickets and registered services.
import { Module, type DynamicModule } from '@nestjs/common';
import { ClientAddresses, type ExpiryWatch } from '@tessera/server';
import { ServiceRegistry } from '@tessera/services';
import { LiveSettings } from '@tessera/settings';
import { ServiceTickets, TicketGranting } from '@tessera/tickets';
import {
  AuthenticationModule,
  type CredentialKind,
} from './authentication/authentication.module.js';
import { Foundation } from './foundation.js';
import { RequestSettings } from './request-settings.js';
import type { SsoSettings } from './settings.js';

@Module({})
export class CoreModule {
  static async forRoot(
    live: LiveSettings<SsoSettings>,
    foundation: Foundation,
    expiries: ExpiryWatch,
  ): Promise<DynamicModule> {
    const { dataSource, services, tickets } = foundation.parts;
    const addresses = await openAddresses(live);
    const provided = [
      { provide: LiveSettings, useValue: live },
      { provide: RequestSettings, useValue: new RequestSettings(live) },
      { provide: ClientAddresses, useValue: addresses },
      { provide: ServiceRegistry, useValue: services },
      { provide: TicketGranting, useValue: new TicketGranting(tickets) },
      { provide: ServiceTickets, useValue: new ServiceTickets(tickets, services) },
    ];
    const hasCertificates = live.current.modules.includes('rest-x509');
    const additional = hasCertificates ? [await openCertificates(live, addresses, expiries)] : [];
    const authentication = await AuthenticationModule.forRoot(live, dataSource, additional);
    return {
      module: CoreModule,
      imports: [authentication],
      // Nest calls shutdown hooks of providers only.
      providers: [...provided, { provide: Foundation, useValue: foundation }],
      exports: [...provided.map(({ provide }) => provide), authentication],
    };
  }
}

async function openAddresses(live: LiveSettings<SsoSettings>): Promise<ClientAddresses> {
  const forwarding = await live.derive({
    of: ({ proxies }) => proxies,
    make: (proxies) => proxies.forwarding(),
  });
  return new ClientAddresses(() => forwarding.value);
}

async function openCertificates(
  live: LiveSettings<SsoSettings>,
  addresses: ClientAddresses,
  expiries: ExpiryWatch,
): Promise<CredentialKind> {
  const { openX509 } = await import('./rest-x509/open-x509.js');
  return openX509(live, addresses, expiries);
}
