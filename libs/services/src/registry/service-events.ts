// Events of the registry, for metrics.
import { EventChannel } from '@tessera/runtime';

export type ServiceEvent =
  /** @param services their number */
  | { readonly type: 'loaded'; readonly services: number }
  /** The loaded services are those of the database. */
  | { readonly type: 'current' }
  /** The database could not be read. */
  | { readonly type: 'failed' };

export const serviceEvents = new EventChannel<ServiceEvent>('tessera:services');
