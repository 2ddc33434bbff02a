// What the Authenticator tells those who count.
import { EventChannel } from '@tessera/runtime';
import type { Authentication } from '@tessera/tickets';
import { ThrottledError } from '@tessera/throttling';
import type { EntryPoint } from './login-throttles.js';

export interface LoginEvent {
  readonly entryPoint: EntryPoint;
  readonly outcome: 'accepted' | 'refused' | 'undecided' | 'throttled';
  /** That accepted. */
  readonly handler?: string;
}

export const loginEvents = new EventChannel<LoginEvent>('tessera:logins');

/** Publishes the outcome of a login. @returns the same promise */
export function publishedLogin(
  login: Promise<Authentication | undefined>,
  entryPoint: EntryPoint,
): Promise<Authentication | undefined> {
  if (loginEvents.hasSubscribers) {
    login.then(
      (authentication) =>
        loginEvents.publish(
          authentication
            ? { entryPoint, outcome: 'accepted', handler: authentication.handler }
            : { entryPoint, outcome: 'refused' },
        ),
      (error: unknown) => {
        const outcome = error instanceof ThrottledError ? 'throttled' : 'undecided';
        loginEvents.publish({ entryPoint, outcome });
      },
    );
  }
  return login;
}
