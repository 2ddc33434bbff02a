// The embedded PostgreSQL of this folder. `tessera start` loads this file only when an application requests the database.
import {
  type EmbeddedPostgres,
  type EmbeddedPostgresOptions,
  openEmbeddedPostgres,
} from '@tessera/embedded-postgres';

/** Relative to the working directory, which is the folder of the installation. */
export const EMBEDDED_DIRECTORY = './.data/postgres';

export function openPostgresHere(
  options: Omit<EmbeddedPostgresOptions, 'directory'>,
): Promise<EmbeddedPostgres> {
  return openEmbeddedPostgres({ directory: EMBEDDED_DIRECTORY, ...options });
}
