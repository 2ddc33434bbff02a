// Owns the reading of credentials that the system hands over as files, each named for its key: systemd's, and Docker's secrets.
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { attempt } from '../attempt.js';
import type { Catalogue } from '../catalogue.js';
import { layerOf, type Layer } from '../layer.js';
import type { Problem } from '../problem.js';
import type { RawEntry } from '../raw-value.js';
import { readSecretText } from './secret-text.js';

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

/**
 * A file that is named for a declared key holds its value; all others are somebody else's. A last line end is not part of
 * it. Each value is a secret, whatever its key is. Only Docker's directory may be missing: nobody asked for it.
 */
export async function readCredentials(directory: string, catalogue: Catalogue): Promise<Layer> {
  const entries: RawEntry[] = [];
  const problems: Problem[] = [];
  for (const key of await namesIn(directory, problems)) {
    if (catalogue.find(key) === undefined) continue;
    const path = join(directory, key);
    const { result: content, ...found } = await attempt(key, () => readSecretText(path, true));
    problems.push(...found.problems);
    if (content === undefined) continue;
    entries.push({ key, value: { content, origin: path, isProtected: true } });
  }
  return layerOf(entries, catalogue, problems);
}

async function namesIn(directory: string, problems: Problem[]): Promise<readonly string[]> {
  try {
    return (await readdir(directory)).toSorted();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' && directory === DOCKER_SECRETS) return [];
    problems.push({ message: `cannot be read (${code})`, origin: directory });
    return [];
  }
}
