// The logout URLs of services, and which calls share a limit.
import { Injectable } from '@nestjs/common';
import { loggerFor, withoutQuery } from '@tessera/logging';
import type { Delivery, LogoutMessage, NewDelivery } from '@tessera/logout-messages';
import { logoutUrlsOf, type RegisteredService, ServiceRegistry } from '@tessera/services';

const log = loggerFor('logout');

export interface LogoutTarget {
  readonly service: RegisteredService;
  readonly url: string;
}

@Injectable()
export class LogoutTargets {
  constructor(private readonly services: ServiceRegistry) {}

  /** A delivery for each logout URL; none where no service is registered for the message any more. */
  deliveriesOf(message: LogoutMessage): readonly NewDelivery[] {
    const targets = this.targetsOf(message);
    if (targets.length === 0) warnOfDropped(message);
    return targets.map(({ service, url }, urlIndex) => ({
      delivery: { ...message, id: idOf(message, urlIndex), urlIndex },
      group: `${service.id} ${URL.parse(url)?.host ?? ''}`,
    }));
  }

  /** Where a delivery goes by the registration of now; undefined where that URL is gone. */
  find(delivery: Delivery): LogoutTarget | undefined {
    const target = this.targetsOf(delivery)[delivery.urlIndex];
    if (target === undefined) warnOfDropped(delivery);
    return target;
  }

  private targetsOf({ service: url }: LogoutMessage): readonly LogoutTarget[] {
    const service = this.services.match(url);
    if (service?.logoutType !== 'back') return [];
    return logoutUrlsOf(service, url).map((each) => ({ service, url: each }));
  }
}

function warnOfDropped({ service }: LogoutMessage): void {
  log.warn(
    { service: withoutQuery(service) },
    'a logout message is dropped: no service is registered for it any more',
  );
}

function idOf({ id }: LogoutMessage, urlIndex: number): string {
  return urlIndex === 0 ? id : `${id}-${urlIndex + 1}`;
}
