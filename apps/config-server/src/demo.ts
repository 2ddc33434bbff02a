// Owns telling the set-up of a newcomer, whom `tessera start` tells what to try, from all others.
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { NativeSettings } from './settings/native-settings.js';
import type { ConfigServerSettings } from './settings.js';

/** Whether it serves `./config-repo` alone, to whoever asks, with a key that it made itself. */
export function isDemo(settings: ConfigServerSettings): boolean {
  const { backends, native, encryption, tls } = settings;
  const directory = resolve(new NativeSettings().directory);
  const servesItAlone =
    backends.length === 1 && backends[0] === 'native' && resolve(native.directory) === directory;
  const hasKeyOfItsOwn = encryption.isEmpty && encryption.generate;
  const takesTheCalls = settings.isOpen && settings.decrypts && !tls.isOn;
  return (
    settings.isActive('dev') &&
    takesTheCalls &&
    servesItAlone &&
    hasKeyOfItsOwn &&
    existsSync(directory)
  );
}
