// Single logout of CAS applications. @see CAS 3.0 §2.3.3
import { Injectable } from '@nestjs/common';
import { randomId } from '@tessera/crypto';
import { logoutUrlsOf, type RegisteredService, ServiceRegistry } from '@tessera/services';
import { type LogoutMessage, ServiceTickets, type SessionService } from '@tessera/tickets';
import { isRedirectable } from '../protocol/redirect-url.js';
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
      return urls.flatMap((url) => callOf(url, request));
    });
  }
}

function callOf(address: string, request: string): readonly string[] {
  const url = URL.parse(address);
  if (url === null) return [];
  url.hash = '';
  // Base64 has characters that mean others in a query.
  const parameter = `logoutRequest=${encodeURIComponent(request)}`;
  url.search = url.search === '' ? parameter : `${url.search}&${parameter}`;
  return [url.href];
}
