// Finds a service that gets the URLs of another one, because it comes first.
import { ServiceSnapshot } from '../matching/service-snapshot.js';
import type { RegisteredService } from '../registered-service.js';
import { sampleUrls } from './unsupported-pattern.js';

export interface Shadowing {
  /** An example of the URLs that match both patterns. */
  readonly url: string;
  /** The service that gets it. */
  readonly service: RegisteredService;
}

/**
 * A service in front of this one that matches an example of its URLs. Undefined where none was found: the patterns may
 * overlap nevertheless.
 *
 * @param services all services, with this one
 */
export async function findShadowing(
  { id, serviceId }: Pick<RegisteredService, 'id' | 'serviceId'>,
  services: readonly RegisteredService[],
): Promise<Shadowing | undefined> {
  if (serviceId === null) return undefined;
  const snapshot = await ServiceSnapshot.of(services);
  for (const url of sampleUrls(serviceId)) {
    const service = snapshot.match(url);
    if (service !== undefined && service.id !== id) return { url, service };
  }
  return undefined;
}
