// The HTTP status of failed validations.
import { Inject, Injectable } from '@nestjs/common';
import { isUnavailable } from '@tessera/database';
import { LiveSettings } from '@tessera/config';
import { loggerFor } from '@tessera/logging';
import { RequestError } from '@tessera/server';
import { ServiceRegistry } from '@tessera/services';
import { TicketError } from '@tessera/tickets';
import { type Dialect, dialectOf, statusOf } from '../dialect.js';
import { ProxyError } from '../proxy/errors.js';
import type { SsoSettings } from '../settings.js';

const logger = loggerFor('validation');

@Injectable()
export class FailureStatus {
  constructor(
    private readonly services: ServiceRegistry,
    @Inject(LiveSettings) private readonly settings: LiveSettings<SsoSettings>,
  ) {}

  /**
   * Uses the dialect of the service for every failure, because its client expects it. An error of the server is logged,
   * and has status 503.
   */
  of(error: unknown, service: string | undefined): number {
    if (error instanceof RequestError && error.status !== 400) return error.status;
    if (isFailure(error)) return statusOf('failedValidation', this.dialectFor(service));
    logger[isUnavailable(error) ? 'warn' : 'error']({ error }, 'validation answered 503');
    return 503;
  }

  /** The dialect of the service, or else that of the server. */
  readonly dialectFor = (service: string | undefined): Dialect => {
    const registered = service === undefined ? undefined : this.services.match(service);
    return dialectOf(registered, this.settings.current.dialect);
  };
}

/** Whether the request is at fault, and not the server. */
function isFailure(error: unknown): boolean {
  return [RequestError, TicketError, ProxyError].some((kind) => error instanceof kind);
}
