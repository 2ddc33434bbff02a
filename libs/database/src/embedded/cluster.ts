// The data directory: made once, whole or not at all, and never opened by another major version.
import { chown, mkdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { loggerFor } from '@tessera/logging';
import { codeOf, DatabaseError } from '../errors.js';
import { run } from './command.js';
import type { Place } from './place.js';

const log = loggerFor('database');

const INITDB = ['--username=postgres', '--encoding=UTF8', '--locale=C', '--no-instructions'];

/**
 * Initialises the data directory unless that was done before. The caller holds the owner's lock.
 * @throws {DatabaseError} with initdb's own words, or naming both versions
 */
export async function prepareCluster(place: Place): Promise<void> {
  const version = await readFile(join(place.data, 'PG_VERSION'), 'utf8').catch(ignoreMissing);
  if (version === undefined) return initialise(place);
  if (version.trim() === place.binaries.major) return;
  throw new DatabaseError(
    'EMBEDDED_POSTGRES_FAILED',
    `${place.data} was made by PostgreSQL ${version.trim()}, and this is PostgreSQL ${place.binaries.major}: move the data with pg_dump, or remove the folder to begin anew.`,
  );
}

async function initialise(place: Place): Promise<void> {
  log.info({ directory: place.data }, 'initialising a new PostgreSQL data directory');
  const unfinished = `${place.data}.unfinished`;
  await rm(unfinished, { recursive: true, force: true });
  await mkdir(unfinished, { mode: 0o700 });
  if (place.user !== undefined) await chown(unfinished, place.user.uid, place.user.gid);
  const parameters = [...INITDB, `--pgdata=${unfinished}`];
  if (!place.isDurable) parameters.push('--no-sync');
  const outcome = await run(place.binaries.initdb, parameters, place.user);
  if (!outcome.succeeded) {
    await rm(unfinished, { recursive: true, force: true });
    throw new DatabaseError(
      'EMBEDDED_POSTGRES_FAILED',
      `Could not initialise ${place.data}: ${outcome.complaint}`,
    );
  }
  await rename(unfinished, place.data);
}

function ignoreMissing(error: unknown): undefined {
  if (codeOf(error) === 'ENOENT') return undefined;
  throw error;
}
