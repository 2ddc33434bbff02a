import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { NativeSettings } from './native-settings.js';
import type { ConfigServerSettings } from './config-server-settings.js';

/**
 * Whether these are the settings of a first `tessera start`, which prints examples for them: only `./config-repo` is served,
 * to local programs, with a generated key.
 */
export function isDemo(settings: ConfigServerSettings): boolean {
  const { backends, native, encryption, tls } = settings;
  const directory = resolve(new NativeSettings().directory);
  const servesDemoFiles =
    backends.length === 1 && backends[0] === 'native' && resolve(native.directory) === directory;
  const hasGeneratedKey = encryption.isEmpty && encryption.generate;
  const allowsExamples = settings.isOpen && settings.decrypts && !tls.isOn;
  return (
    settings.isActive('dev') &&
    allowsExamples &&
    servesDemoFiles &&
    hasGeneratedKey &&
    existsSync(directory)
  );
}
