// Decides whether a principal may use a service.
import { type Principal, valuesOf } from './principal.js';
import type { RegisteredService } from './registered-service.js';

/**
 * True when the service is enabled and the principal has, for every required attribute, at least one of the listed values.
 * Compares names and values exactly. An attribute without listed values refuses every principal.
 */
export function isAuthorised(
  service: Pick<RegisteredService, 'enabled' | 'requiredAttributes'>,
  principal: Principal,
): boolean {
  return (
    service.enabled &&
    Object.entries(service.requiredAttributes).every(([name, required]) => {
      const actual = valuesOf(principal, name);
      return required.some((value) => actual.includes(value));
    })
  );
}
