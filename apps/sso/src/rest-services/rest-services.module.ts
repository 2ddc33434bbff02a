// Owns the wiring of module `rest-services`.
import { hostname } from 'node:os';
import { Inject, Module, type DynamicModule, type OnModuleInit } from '@nestjs/common';
import { AuditTrail } from '@tessera/audit';
import { loggerFor } from '@tessera/logging';
import { SsoSettings } from '../settings.js';
import { RegistrationRole } from './registration-role.js';
import { ServiceRegistration } from './service-registration.js';
import { ServicesController } from './services.controller.js';

const logger = loggerFor('sso');

@Module({})
export class RestServicesModule implements OnModuleInit {
  /** @param core the module that provides tickets, services and settings */
  static forRoot(core: DynamicModule): DynamicModule {
    return {
      module: RestServicesModule,
      imports: [core],
      controllers: [ServicesController],
      providers: [
        ServiceRegistration,
        {
          provide: RegistrationRole,
          inject: [SsoSettings],
          useFactory: ({ restServices }: SsoSettings) => new RegistrationRole(restServices),
        },
        { provide: AuditTrail, inject: [SsoSettings], useFactory: openTrail },
      ],
    };
  }

  constructor(@Inject(RegistrationRole) private readonly role: RegistrationRole) {}

  onModuleInit(): void {
    if (this.role.isGiven) return;
    logger.warn({}, 'nobody may register services: sso.rest.services names no role');
  }
}

/** A node is known by the suffix of its tickets, else by the name of its machine. */
function openTrail({ applicationName, ticketSuffix }: SsoSettings): AuditTrail {
  return new AuditTrail({ application: applicationName, node: ticketSuffix || hostname() });
}
