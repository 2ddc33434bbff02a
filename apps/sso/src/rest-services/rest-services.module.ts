// The optional module `rest-services`.
import { Inject, Module, type OnModuleInit } from '@nestjs/common';
import { LiveSettings } from '@tessera/config';
import { CoreModule } from '../core.module.js';
import { RequiredRole } from '../required-role.js';
import type { SsoSettings } from '../settings.js';
import { warnAboutSettings } from '../settings-warnings.js';
import { RegistrationGuard } from './registration.guard.js';
import {
  REGISTRATION_ROLE,
  ServiceRegistration,
  type RegistrationRole,
} from './service-registration.js';
import { ServicesController } from './services.controller.js';

@Module({
  imports: [CoreModule],
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
