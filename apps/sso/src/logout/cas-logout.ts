// Single logout of CAS applications. @see CAS 3.0 §2.3.3
import { Injectable } from '@nestjs/common';
import { randomId } from '@tessera/crypto';
import { logoutUrlsOf, type RegisteredService, ServiceRegistry } from '@tessera/services';
import { type LogoutMessage, ServiceTickets, type SessionService } from '@tessera/tickets';
import { isRedirectable } from '../protocol/redirect-url.js';
import { frontChannelCall } from './front-channel-call.js';
import {
  type LogoutForm,
  type LogoutProtocol,
  LogoutProtocols,
  type LogoutTarget,
} from './logout-protocols.js';
import { deflatedLogoutRequest, logoutRequest } from './logout-request.js';

const ID_LENGTH = 32;

@Injectable()
export class CasLogout implements LogoutProtocol {
  constructor(
    protocols: LogoutProtocols,
    private readonly services: ServiceRegistry,
    private readonly serviceTickets: ServiceTickets,
  ) {
    protocols.register('cas', this);
  }

  targetsOf({ application }: LogoutMessage): readonly LogoutTarget[] {
    const service = this.services.match(application);
    if (service?.logoutType !== 'back') return [];
    return logoutUrlsOf(service, application).map((url) => ({ service, url }));
  }

  formOf(message: LogoutMessage, service: RegisteredService): LogoutForm {
    return { logoutRequest: logoutRequest(service, message) };
  }

  /** Some clients answer with a page elsewhere, 302 or 303, when they are done. Other redirects name the right address. */
  accepts(status: number): boolean {
    return (status >= 200 && status < 300) || status === 302 || status === 303;
  }

  /** Only for services to which browsers may be sent. */
  frontChannelCalls(
    principal: string,
    { application, sessionIndexes }: SessionService,
  ): readonly string[] {
    if (!isRedirectable(application)) return [];
    const service = this.serviceTickets.enabledRegistration(application);
    if (service?.logoutType !== 'front') return [];
    const endedAt = new Date();
    const urls = logoutUrlsOf(service, application);
    return sessionIndexes.flatMap((sessionIndex) => {
      const message = { id: `LR-${randomId(ID_LENGTH)}`, principal, sessionIndex, endedAt };
      const request = deflatedLogoutRequest(service, message);
      return urls.flatMap((url) => frontChannelCall(url, { logoutRequest: request }));
    });
  }
}
