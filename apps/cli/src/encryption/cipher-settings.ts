// The keys of the config server, from its own settings: what is used where the command names no key.
import type { KeyRing } from '@tessera/crypto';
import {
  CoreSettings,
  EncryptionSettings,
  Group,
  loadSettings,
  openKeyRing,
  type SettingsContext,
} from '@tessera/settings';
import { CliError } from '../cli-error.js';
import { writeLine, type Terminal } from '../terminal.js';

const APPLICATION = 'config-server';

class CipherSettings extends CoreSettings {
  @Group(EncryptionSettings) readonly encryption = new EncryptionSettings();
}

/**
 * The key ring that the config server has with the same settings: where neither a profile nor a key is named, that of
 * profile dev, which is said, as it is a guess. No key is made: it would be one that no server has.
 *
 * @param argv the `--key=value` among the arguments
 * @throws SettingsError; CliError where there is no key
 */
export async function configuredKeys(
  argv: readonly string[],
  encrypts: boolean,
  { stderr }: Terminal,
): Promise<KeyRing> {
  const context = { application: APPLICATION, argv, sharedPrefixes: ['sso'] };
  const { settings } = await loadSettings(CipherSettings, context);
  const isGuess = settings.profiles.length === 0 && settings.encryption.isEmpty;
  const { encryption } = isGuess ? await settingsOfDev(context) : settings;
  const ring = { applicationName: APPLICATION, mayGenerate: false, encrypts };
  const keys = await openKeyRing(encryption, ring);
  if (keys.isEmpty) {
    throw new CliError(
      'there is no key: give --key-file or --password-file, or set encrypt.key-files',
    );
  }
  if (isGuess) {
    writeLine(stderr, 'tessera: no profile and no key given: using the key of profile dev');
  }
  return keys;
}

async function settingsOfDev(context: SettingsContext): Promise<CipherSettings> {
  return (await loadSettings(CipherSettings, { ...context, defaultProfiles: ['dev'] })).settings;
}
