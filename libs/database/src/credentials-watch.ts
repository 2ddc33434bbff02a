// Requests other settings while PostgreSQL refuses the credentials: a password may have changed, and Vault may have the new one.
import type { DataSource } from 'typeorm';
import { loggerFor, withoutRequest } from '@tessera/logging';
import { codeOf } from '@tessera/runtime';
import { sessionPoolOf } from './connection.js';

const log = loggerFor('database');

/** In milliseconds. The settings may not have the new password yet. */
const MIN_INTERVAL = 1_000;

/** From now on, refused credentials are the error of an unavailable database. @param renew requests other settings; it never fails */
export function watchCredentials(dataSource: DataSource, renew: () => Promise<unknown>): void {
  let last = -Infinity;
  sessionPoolOf(dataSource).sessionConfig.onCredentialsRefused = (error) => {
    const now = performance.now();
    if (now - last < MIN_INTERVAL) return;
    last = now;
    withoutRequest(() => {
      const sqlState = codeOf(error);
      log.warn({ sqlState }, 'the database refuses our credentials: reading the settings again');
      void renew();
    });
  };
}
