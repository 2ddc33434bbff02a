// Events of this library, for metrics: the queue of password hashes, and uses of keys.
import { EventChannel } from '@tessera/runtime';

/** A hash is `queued`, and then either `refused` because too many wait, or `started` and `finished`. */
export type PasswordHashingEvent =
  | { readonly type: 'queued' | 'finished' | 'refused' }
  /** @param waited milliseconds in the queue */
  | { readonly type: 'started'; readonly waited: number };

export const passwordHashingEvents = new EventChannel<PasswordHashingEvent>(
  'tessera:password-hashing',
);

/** One use of a key ring. */
export interface CipherEvent {
  readonly operation: 'encrypt' | 'decrypt';
  readonly outcome: 'success' | 'failure';
}

export const cipherEvents = new EventChannel<CipherEvent>('tessera:ciphers');
