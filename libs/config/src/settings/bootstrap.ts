// Settings that are needed before any file is read, and the keys that only early or local sources may give.
import type { CoreSettings } from './core-settings.js';
import type { Layer } from './layer.js';
import { pathNames } from './parsers/collections.js';
import { InvalidValue, type SettingParser } from './parsers/setting-parser.js';
import { pathName, text } from './parsers/scalars.js';
import type { ReportedViolation } from './violation.js';
import { isProtected } from './protection/decrypt-values.js';
import { declaredSettings } from './setting.js';
import { StandaloneSecurity } from './protection/standalone-security.js';

/** Application, profiles and the directory of the settings files. */
export interface Bootstrap {
  readonly applicationName: string;
  readonly profiles: readonly string[];
  /** `origin` is absent for the default directory. */
  readonly location: {
    readonly path: string;
    readonly origin?: string;
    /** Whether the path comes from a secret source and must not be shown. */
    readonly isProtected?: boolean;
  };
}

/**
 * Reads these settings from the layers, the strongest first. An invalid value falls back to the
 * default here: `resolveSettings` reports it.
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
  parser: SettingParser<V>,
): { value: V; origin: string; isProtected: boolean } | undefined {
  const raw = layers.find((layer) => layer.values.has(key))?.values.get(key);
  const value = raw && parser.parse(raw);
  if (!raw || value === undefined || value instanceof InvalidValue) return undefined;
  return { value, origin: raw.origin, isProtected: raw.isProtected ?? false };
}

const OF_FILES = 'decides which files are read: give it in the environment or on the command line';
const OF_PROTECTION =
  'is what protected values are decrypted with: give it in the environment, or as a credential of its own, not beside them';

/** The message for an early key in a late source, by key. */
const EARLY_KEY_MESSAGES: ReadonlyMap<string, string> = new Map([
  ...['profiles.active', 'application.name', 'settings.location'].map(
    (key) => [key, OF_FILES] as const,
  ),
  ...declaredSettings(StandaloneSecurity).map(({ key }) => [key, OF_PROTECTION] as const),
]);

/** Violations of early keys whose values are encrypted. */
export function protectedEarlyKeys({ values }: Layer): readonly ReportedViolation[] {
  const message = 'may not be protected: it is needed before anything can be decrypted';
  return [...values].flatMap(([key, { content, origin }]) =>
    EARLY_KEY_MESSAGES.has(key) && isProtected(content) ? [{ key, message, origin }] : [],
  );
}

/** The layer of a late source without early keys; each of them is a violation. */
export function withoutEarlyKeys({ values, violations, unusedKeys }: Layer): Layer {
  const early = [...values].flatMap(([key, { origin }]) => {
    const message = EARLY_KEY_MESSAGES.get(key);
    return message === undefined ? [] : [{ key, message, origin }];
  });
  return {
    values: new Map([...values].filter(([key]) => !EARLY_KEY_MESSAGES.has(key))),
    violations: [...violations, ...early],
    unusedKeys,
  };
}

const OF_ADDRESSES = 'says where settings come from: give it on this machine';
const OF_TIMES = 'says when settings are read again: give it on this machine';

/** A remote source cannot set its own address or its polling interval. */
function localOnlyMessage(key: string): string | undefined {
  if (/^(?:vault|sso\.config-server)\./.test(key)) return OF_ADDRESSES;
  return key.startsWith('settings.reload.') ? OF_TIMES : undefined;
}

/** The layer of a remote source without the keys that only local sources may give; each of them is a violation. */
export function withoutLocalOnlyKeys({ values, violations, unusedKeys }: Layer): Layer {
  const misplaced = [...values].flatMap(([key, { origin }]) => {
    const message = localOnlyMessage(key);
    return message === undefined ? [] : [{ key, message, origin }];
  });
  return {
    values: new Map([...values].filter(([key]) => localOnlyMessage(key) === undefined)),
    violations: [...violations, ...misplaced],
    unusedKeys,
  };
}
