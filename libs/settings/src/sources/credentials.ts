// Owns the reading of credentials that the system hands over as files, each named for its key: systemd's, and Docker's secrets.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Catalogue } from '../catalogue.js';
import { layerOf, type Layer } from '../layer.js';
import type { Problem } from '../problem.js';
import type { RawEntry } from '../raw-value.js';

/** Where Docker mounts secrets. */
const DOCKER_SECRETS = '/run/secrets';

/**
 * The directories that there may be, the strongest first.
 * @see https://systemd.io/CREDENTIALS/
 */
export function credentialDirectories(
  environment: Readonly<Record<string, string | undefined>>,
): readonly string[] {
  const ofSystemd = environment['CREDENTIALS_DIRECTORY'];
  return [...(ofSystemd === undefined || ofSystemd === '' ? [] : [ofSystemd]), DOCKER_SECRETS];
}

/** A file that is named for a declared key holds its value; all others are somebody else's. A last line end is not part of it. */
export async function readCredentials(directory: string, catalogue: Catalogue): Promise<Layer> {
  const names = await readdir(directory).catch(() => []);
  const entries: RawEntry[] = [];
  const problems: Problem[] = [];
  for (const key of names.filter((name) => catalogue.find(name) !== undefined).toSorted()) {
    const path = join(directory, key);
    try {
      const content = (await readFile(path, 'utf8')).replace(/\r?\n$/, '');
      entries.push({ key, value: { content, origin: path } });
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      problems.push({ key, message: `cannot be read (${code})`, origin: path });
    }
  }
  return layerOf(entries, catalogue, problems);
}
