// Module `rest`: REST tickets.
import { Inject, Module, type OnModuleInit } from '@nestjs/common';
import { LiveSettings } from '@tessera/config';
import { AuthenticationModule } from '../authentication/authentication.module.js';
import { CoreModule } from '../core.module.js';
import { warnAboutSettings } from '../settings-warnings.js';
import type { SsoSettings } from '../settings.js';
import { LoginContext } from './login-context.js';
import { RestLogin } from './rest-login.js';
import { TicketRequestReader } from './ticket-request-reader.js';
import { TicketsController } from './tickets.controller.js';

@Module({
  imports: [CoreModule, AuthenticationModule],
  controllers: [TicketsController],
  providers: [TicketRequestReader, LoginContext, RestLogin],
})
export class RestModule implements OnModuleInit {
  constructor(@Inject(LiveSettings) private readonly live: LiveSettings<SsoSettings>) {}

  onModuleInit(): void {
    warnAboutSettings(
      this.live,
      ({ throttle }) => !throttle.restEnabled,
      'failed logins over REST are not throttled, as by default outside profile production: set ' +
        'sso.throttle.rest.enabled=true, or admit trusted networks only',
    );
  }
}
