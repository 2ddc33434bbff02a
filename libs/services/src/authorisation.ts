// Whether a principal may use a service at all.
import { type Principal, valuesOf } from './principal.js';
import type { RegisteredService } from './registered-service.js';

/**
 * True when the service is enabled and the principal holds, of every required attribute, at least
 * one of the listed values. Names and values are compared exactly; an attribute that lists no
 * value lets nobody in.
 */
export function isAuthorised(
  service: Pick<RegisteredService, 'enabled' | 'requiredAttributes'>,
  principal: Principal,
): boolean {
  return (
    service.enabled &&
    Object.entries(service.requiredAttributes).every(([name, wanted]) => {
      const held = valuesOf(principal, name);
      return wanted.some((value) => held.includes(value));
    })
  );
}
