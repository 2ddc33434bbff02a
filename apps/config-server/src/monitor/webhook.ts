// Owns what the webhook has to be told.
import type { Secret } from '@tessera/settings';
import type { EnvironmentBackend } from '../backends/environment-backend.js';

export interface Webhook {
  readonly backends: readonly EnvironmentBackend[];
  readonly secret: Secret;
}

/** The injection token of the above. */
export const WEBHOOK = Symbol('Webhook');
