// Owns the settings that must be known before any file can be read.
import type { CoreSettings } from './core-settings.js';
import type { Layer } from './layer.js';
import { pathNames } from './readers/collections.js';
import { Refusal, type Reader } from './readers/reader.js';
import { pathName, text } from './readers/scalars.js';

/** Who asks, for what, and where the files lie. */
export interface Bootstrap {
  readonly applicationName: string;
  readonly profiles: readonly string[];
  /** `origin` is absent where nobody asked for this directory. */
  readonly location: {
    readonly path: string;
    readonly origin?: string;
    /** Whether the path is a secret by its origin, which nobody is shown. */
    readonly isProtected?: boolean;
  };
}

/**
 * Reads these settings from the layers, the strongest first. A value that cannot be read falls back
 * here without a word: resolving all settings reports it.
 */
export function readBootstrap(
  layers: readonly Layer[],
  fallback: Pick<CoreSettings, 'applicationName' | 'profiles' | 'settingsLocation'>,
): Bootstrap {
  const path = valueOf(layers, 'settings.location', text);
  return {
    applicationName:
      valueOf(layers, 'application.name', pathName)?.value ?? fallback.applicationName,
    profiles: valueOf(layers, 'profiles.active', pathNames)?.value ?? fallback.profiles,
    location: path
      ? { path: path.value, origin: path.origin, isProtected: path.isProtected }
      : { path: fallback.settingsLocation },
  };
}

function valueOf<V>(
  layers: readonly Layer[],
  key: string,
  reader: Reader<V>,
): { value: V; origin: string; isProtected: boolean } | undefined {
  const raw = layers.find((layer) => layer.values.has(key))?.values.get(key);
  const value = raw && reader.read(raw);
  if (!raw || value === undefined || value instanceof Refusal) return undefined;
  return { value, origin: raw.origin, isProtected: raw.isProtected ?? false };
}
