// Owns what the webhook has to be told.
import type { Secret } from '@tessera/settings';
import type { EnvironmentBackend } from '../backends/environment-backend.js';

export interface Webhook {
  readonly backends: readonly EnvironmentBackend[];
  /** With what it has to be signed now; none, or an empty one: there is no webhook. */
  readonly secret: () => Secret | undefined;
}

/** The injection token of the above. */
export const WEBHOOK = Symbol('Webhook');
