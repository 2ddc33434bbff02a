// Reads credentials from files that are named for their keys: systemd credentials and Docker secrets.
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describeReadError } from '@tessera/runtime';
import { catchCryptoError } from '../catch-crypto-error.js';
import type { SettingKeys } from '../setting-keys.js';
import { layerOf, type Layer } from '../layer.js';
import type { ReportedViolation } from '../violation.js';
import type { RawEntry } from '../raw-value.js';
import { readSecretFile } from './secret-file.js';

const DOCKER_SECRETS = '/run/secrets';

/**
 * The default directories, the strongest first.
 * @see https://systemd.io/CREDENTIALS/
 */
export function credentialDirectories(
  environment: Readonly<Record<string, string | undefined>>,
): readonly string[] {
  const ofSystemd = environment['CREDENTIALS_DIRECTORY'];
  return [...(ofSystemd === undefined || ofSystemd === '' ? [] : [ofSystemd]), DOCKER_SECRETS];
}

/**
 * A file that is named for a declared key holds its value, without a final line end. Other files are ignored. Each value
 * is a secret, whatever its key. Docker's directory may be missing.
 */
export async function readCredentials(directory: string, settingKeys: SettingKeys): Promise<Layer> {
  const entries: RawEntry[] = [];
  const violations: ReportedViolation[] = [];
  for (const key of await namesIn(directory, violations)) {
    if (settingKeys.find(key) === undefined) continue;
    const path = join(directory, key);
    const { result: content, ...found } = await catchCryptoError(key, () =>
      readSecretFile(path, true),
    );
    violations.push(...found.violations);
    if (content === undefined) continue;
    entries.push({ key, value: { content, origin: path, isProtected: true } });
  }
  return layerOf(entries, settingKeys, violations);
}

async function namesIn(
  directory: string,
  violations: ReportedViolation[],
): Promise<readonly string[]> {
  try {
    return (await readdir(directory)).toSorted();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' && directory === DOCKER_SECRETS) return [];
    violations.push({ message: describeReadError(error), origin: directory });
    return [];
  }
}
