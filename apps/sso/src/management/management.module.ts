// The module of management endpoints.
import { Module, type DynamicModule } from '@nestjs/common';
import { ClientAddresses, RefreshModule, type RefreshOptions } from '@tessera/server';
import { LiveSettings } from '@tessera/settings';
import { Authenticator } from '../authentication/authenticator.js';
import { LoginThrottles } from '../authentication/login-throttles.js';
import type { SsoSettings } from '../settings.js';
import { ManagementAccess } from './management-access.js';

@Module({})
export class ManagementModule {
  /** @param core the module that provides settings, authentication and addresses */
  static forRoot(core: DynamicModule, reload: RefreshOptions['reload']): DynamicModule {
    const refresh = RefreshModule.forRootAsync({
      imports: [core],
      inject: [LiveSettings, Authenticator, ClientAddresses, LoginThrottles],
      useFactory: (
        live: LiveSettings<SsoSettings>,
        authenticator: Authenticator,
        addresses: ClientAddresses,
        throttles: LoginThrottles,
      ) => {
        const access = new ManagementAccess(live, authenticator, addresses, throttles);
        return { reload, admit: (request) => access.admit(request) };
      },
    });
    return { module: ManagementModule, imports: [refresh] };
  }
}
