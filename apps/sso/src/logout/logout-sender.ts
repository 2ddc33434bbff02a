// Sends one logout message to its service.
import { Inject, Injectable } from '@nestjs/common';
import { loggerFor, withoutQuery } from '@tessera/logging';
import type { LogoutMessage } from '@tessera/logout-messages';
import { ServiceRegistry } from '@tessera/services';
import { OutgoingError } from '../outgoing/errors.js';
import { OutgoingClient } from '../outgoing/outgoing-client.js';
import { logoutRequest } from './logout-request.js';

const log = loggerFor('logout');

const TIME_LIMIT_MS = 5_000;

@Injectable()
export class LogoutSender {
  constructor(
    @Inject(ServiceRegistry) private readonly services: ServiceRegistry,
    @Inject(OutgoingClient) private readonly client: OutgoingClient,
  ) {}

  /** @returns `dropped` where no service is registered for it any more; the error where it could not be told */
  async send(
    message: LogoutMessage,
    stop: AbortSignal,
  ): Promise<'delivered' | 'dropped' | OutgoingError> {
    const service = this.services.match(message.service);
    if (service?.logoutType !== 'back') {
      const dropped = { service: withoutQuery(message.service) };
      log.warn(dropped, 'a logout message is dropped: no service is registered for it any more');
      return 'dropped';
    }
    const url = service.logoutUrl ?? message.service;
    try {
      const form = { logoutRequest: logoutRequest(service, message) };
      const limits = [AbortSignal.timeout(TIME_LIMIT_MS), stop];
      const status = await this.client.postForm(url, form, AbortSignal.any(limits));
      if (isAccepted(status)) return 'delivered';
      return new OutgoingError('UNEXPECTED_STATUS', `It answered with status ${status}`);
    } catch (error) {
      if (error instanceof OutgoingError) return error;
      throw error;
    }
  }
}

/** Some clients answer with a page elsewhere, 302 or 303, when they are done. Other redirects name the right address. */
function isAccepted(status: number): boolean {
  return (status >= 200 && status < 300) || status === 302 || status === 303;
}
