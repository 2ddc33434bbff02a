// Registered services for the tests of this library.
import { SERVICE_DEFAULTS, type RegisteredService } from '../src/registered-service.js';

/** A service that every principal may use, with `fields` of the test. */
export function registeredService(fields: Partial<RegisteredService> = {}): RegisteredService {
  return {
    ...SERVICE_DEFAULTS,
    id: '1',
    serviceId: 'https://app\\.example\\.org/.*',
    name: 'app',
    pseudonymSalt: 'salt of the service',
    ...fields,
  };
}
