// The current settings as text, from which another process of the program starts: the sources may have changed since.
import { readBootstrap } from '../bootstrap.js';
import type { CoreSettings } from '../core-settings.js';
import type { ReadSettings } from '../loaded-settings.js';
import type { RawValue } from '../raw-value.js';
import type { SourceReading } from '../read-layers.js';
import { valueIn } from './changes.js';
import { sameValues } from './same-values.js';

/** Decrypted raw values by key. */
type RawValues = ReadonlyMap<string, RawValue>;

export interface Snapshot {
  /** The raw values of the current settings. */
  readonly rawValues: RawValues;
  /** The values of the last valid reading, as text, including changes that need a restart. */
  readonly accepted: ReadonlyMap<string, string>;
}

/** Contains every secret: only for processes of this program. */
export function serializeSnapshot({ rawValues, accepted }: Snapshot): string {
  return JSON.stringify({ rawValues, accepted }, (_name, value: unknown) =>
    value instanceof Map ? { entries: [...value] } : value,
  );
}

/** @param text from {@link serializeSnapshot} */
export function parseSnapshot(text: string): Snapshot {
  return JSON.parse(text, (_name, value: Partial<Record<'entries', [string, unknown][]>> | null) =>
    Array.isArray(value?.entries) ? new Map(value.entries) : value,
  ) as Snapshot;
}

/** A reading whose only source is the snapshot. */
export function snapshotReading({ rawValues }: Snapshot, defaults: CoreSettings): SourceReading {
  const layers = [{ values: rawValues, violations: [], unusedKeys: [] }];
  const bootstrap = readBootstrap(layers, defaults);
  return {
    bootstrap,
    layers,
    decrypted: { values: rawValues, violations: [] },
    local: [],
    isRemote: false,
    isComplete: true,
    hasProtection: true,
    files: [],
    filesRead: { bootstrap, contents: new Map() },
    accept: () => Promise.resolve(),
    discard: () => {},
    warnings: [],
    violations: [],
  };
}

/** The raw values after a reload: a setting that keeps its value keeps its raw value. */
export function currentRawValues(
  before: RawValues,
  current: CoreSettings,
  { settings, validationInput: { settingKeys, rawValues } }: ReadSettings<CoreSettings>,
): RawValues {
  const staying = new Set(
    settingKeys.settings.filter((each) =>
      sameValues(valueIn(current, each), valueIn(settings, each)),
    ),
  );
  const stays = (key: string): boolean => {
    const setting = settingKeys.find(key);
    return setting !== undefined && staying.has(setting);
  };
  return new Map([
    ...[...before].filter(([key]) => stays(key)),
    ...[...rawValues].filter(([key]) => !stays(key)),
  ]);
}
