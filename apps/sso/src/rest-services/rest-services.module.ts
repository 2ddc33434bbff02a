// The optional module `rest-services`.
import { hostname } from 'node:os';
import { Inject, Module, type OnModuleInit } from '@nestjs/common';
import { AuditModule } from '@tessera/audit';
import { LiveSettings } from '@tessera/config';
import { CoreModule } from '../core.module.js';
import { RequiredRole } from '../required-role.js';
import { ssoConfig, ticketsConfig } from '../settings/namespaces.js';
import type { TicketSettings } from '../settings/ticket-settings.js';
import type { SsoSettings } from '../settings.js';
import { warnAboutSettings } from '../settings-warnings.js';
import { RegistrationGuard } from './registration.guard.js';
import {
  REGISTRATION_ROLE,
  ServiceRegistration,
  type RegistrationRole,
} from './service-registration.js';
import { ServicesController } from './services.controller.js';

const audit = AuditModule.forRootAsync({
  inject: [ssoConfig.KEY, ticketsConfig.KEY],
  useFactory: ({ applicationName }: SsoSettings, { suffix }: TicketSettings) => ({
    application: applicationName,
    node: suffix || hostname(),
  }),
});

@Module({
  imports: [CoreModule, audit],
  controllers: [ServicesController],
  providers: [
    RegistrationGuard,
    ServiceRegistration,
    { provide: REGISTRATION_ROLE, inject: [LiveSettings], useFactory: registrationRole },
  ],
})
export class RestServicesModule implements OnModuleInit {
  constructor(@Inject(LiveSettings) private readonly live: LiveSettings<SsoSettings>) {}

  onModuleInit(): void {
    warnAboutSettings(
      this.live,
      ({ restServices }) => !new RequiredRole(restServices).isGiven,
      'nobody may register services: sso.rest.services names no role',
    );
  }
}

function registrationRole(live: LiveSettings<SsoSettings>): Promise<RegistrationRole> {
  return live.derive({
    of: ({ restServices }) => restServices,
    make: (role) => new RequiredRole(role),
  });
}
