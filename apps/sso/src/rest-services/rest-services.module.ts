// The optional module `rest-services`.
import { Module } from '@nestjs/common';
import { CoreModule } from '../core.module.js';
import { RequiredRole } from '../settings/required-role.js';
import type { SsoSettings } from '../settings/sso-settings.js';
import { RegistrationGuard } from './registration.guard.js';
import { REGISTRATION_ROLE, ServiceRegistration } from './service-registration.js';
import { ServicesController } from './services.controller.js';
import { ssoConfig } from '../settings/namespaces.js';

@Module({
  imports: [CoreModule],
  controllers: [ServicesController],
  providers: [
    RegistrationGuard,
    ServiceRegistration,
    { provide: REGISTRATION_ROLE, inject: [ssoConfig.KEY], useFactory: registrationRole },
  ],
})
export class RestServicesModule {}

function registrationRole({ restServices }: SsoSettings): RequiredRole {
  return new RequiredRole(restServices);
}
