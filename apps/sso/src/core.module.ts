// Owns the wiring of the parts every feature needs: settings, authentication, tickets and registered services.
import { availableParallelism } from 'node:os';
import { Module, type DynamicModule } from '@nestjs/common';
import { ClientAddresses } from '@tessera/server';
import { ServiceRegistry } from '@tessera/services';
import { ServiceTickets, TicketGranting } from '@tessera/tickets';
import {
  AuthenticationModule,
  type CredentialKind,
} from './authentication/authentication.module.js';
import { Foundation } from './foundation.js';
import { SsoSettings } from './settings.js';

@Module({})
export class CoreModule {
  static async forRoot(settings: SsoSettings, foundation: Foundation): Promise<DynamicModule> {
    const { services, tickets } = foundation;
    const addresses = settings.proxies.clientAddresses();
    const provided = [
      { provide: SsoSettings, useValue: settings },
      { provide: ClientAddresses, useValue: addresses },
      { provide: ServiceRegistry, useValue: services },
      { provide: TicketGranting, useValue: new TicketGranting(tickets) },
      { provide: ServiceTickets, useValue: new ServiceTickets(tickets, services) },
    ];
    const authentication = await AuthenticationModule.forRoot({
      handlers: settings.handlerNames,
      users: settings.demoUsers,
      dataSource: foundation.dataSource,
      ldap: settings.ldap.options(),
      throttling: settings.throttle.policies,
      certificates: settings.modules.includes('rest-x509')
        ? await openCertificates(settings, addresses)
        : undefined,
      argon2: {
        memory: settings.argon2Memory,
        iterations: settings.argon2Iterations,
        parallelism: settings.argon2Parallelism,
        maxRunning: settings.hashesAtOnce(availableParallelism()),
      },
    });
    return {
      module: CoreModule,
      imports: [authentication],
      // Only what Nest has as a provider is told of the shutdown.
      providers: [...provided, { provide: Foundation, useValue: foundation }],
      exports: [...provided.map(({ provide }) => provide), authentication],
    };
  }
}

async function openCertificates(
  { x509 }: SsoSettings,
  addresses: ClientAddresses,
): Promise<CredentialKind> {
  const { openX509 } = await import('./rest-x509/open-x509.js');
  return openX509(x509, addresses);
}
