// The events of logins, for metrics and traces.
import { EventChannel, OperationChannel, type Settled } from '@tessera/runtime';
import type { Authentication } from '@tessera/tickets';
import { ThrottledError } from '@tessera/throttling';
import type { Credential } from './authentication-handler.js';
import type { EntryPoint } from './login-throttles.js';
import { PasswordError } from './password-error.js';

export interface LoginEvent {
  readonly entryPoint: EntryPoint;
  readonly outcome: 'accepted' | 'refused' | 'undecided' | 'throttled';
  /** That accepted. */
  readonly handler?: string;
}

export const loginEvents = new EventChannel<LoginEvent>('tessera:logins');

/** A login, from its beginning to its end. */
export interface LoginOperation {
  readonly entryPoint: EntryPoint;
  readonly credentialType: Credential['type'];
}

export const loginOperations = new OperationChannel<LoginOperation>('tessera:authentications');

/** The result of a login is the authentication; undefined where the credential was refused. */
export function outcomeOf({ error, result }: Settled): Omit<LoginEvent, 'entryPoint'> {
  if (error instanceof PasswordError) return { outcome: 'refused' };
  if (error !== undefined) {
    return { outcome: error instanceof ThrottledError ? 'throttled' : 'undecided' };
  }
  if (result === undefined) return { outcome: 'refused' };
  return { outcome: 'accepted', handler: (result as Authentication).handler };
}

/** Publishes the outcome of a login. @returns the same promise */
export function publishedLogin<T extends Authentication>(
  login: Promise<T | undefined>,
  entryPoint: EntryPoint,
): Promise<T | undefined> {
  if (loginEvents.hasSubscribers) {
    login.then(
      (result) => loginEvents.publish({ entryPoint, ...outcomeOf({ result }) }),
      (error: unknown) => loginEvents.publish({ entryPoint, ...outcomeOf({ error }) }),
    );
  }
  return login;
}
