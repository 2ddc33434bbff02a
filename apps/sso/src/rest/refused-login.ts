import { Answer } from '@tessera/server';
import { type Dialect, statusOf } from '../protocol/dialect.js';

/**
 * The answer to a refused login. Existing clients compare it byte for byte.
 *
 * @param exception the same for every login whose password is not right
 */
export function refusedLogin(dialect: Dialect, exception = 'FailedLoginException'): Answer {
  const body = `{"authentication_exceptions" : [ "${exception}" ]}`;
  return new Answer(statusOf('badCredentials', dialect), 'application/json;charset=UTF-8', body);
}
