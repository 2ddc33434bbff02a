// Owns what is in force as one text, from which another process of the same program begins: what that one would read by
// itself may be something else by then, or wrong. How the text gets there is decided elsewhere.
import { readBootstrap } from '../bootstrap.js';
import type { CoreSettings } from '../core-settings.js';
import type { ReadSettings } from '../loaded-settings.js';
import type { RawValue } from '../raw-value.js';
import type { SourceReading } from '../read-layers.js';
import { valueIn } from './changes.js';
import { sameValues } from './same-values.js';

/** By key, decrypted. */
type Written = ReadonlyMap<string, RawValue>;

export interface Snapshot {
  /** What the values in force were read from. */
  readonly written: Written;
  /** What was read last and found good, as text: restarts that are due do not show in it. */
  readonly accepted: ReadonlyMap<string, string>;
}

/** Holds every secret: for processes of this program alone. */
export function snapshotText({ written, accepted }: Snapshot): string {
  return JSON.stringify({ written, accepted }, (_name, value: unknown) =>
    value instanceof Map ? { entries: [...value] } : value,
  );
}

/** @param text of {@link snapshotText} */
export function readSnapshot(text: string): Snapshot {
  return JSON.parse(text, (_name, value: Partial<Record<'entries', [string, unknown][]>> | null) =>
    Array.isArray(value?.entries) ? new Map(value.entries) : value,
  ) as Snapshot;
}

/** As if it were all that any source says. */
export function snapshotReading({ written }: Snapshot, defaults: CoreSettings): SourceReading {
  const layers = [{ values: written, problems: [], idle: [] }];
  const bootstrap = readBootstrap(layers, defaults);
  return {
    bootstrap,
    layers,
    written: { values: written, problems: [] },
    local: [],
    isRemote: false,
    isWhole: true,
    isProtected: true,
    files: [],
    filesRead: { bootstrap, contents: new Map() },
    accept: () => Promise.resolve(),
    discard: () => {},
    warnings: [],
    problems: [],
  };
}

/** Where a setting's value stays, so does what it was read from. @param next with the values that will be in force */
export function writtenInForce(
  before: Written,
  current: CoreSettings,
  { settings, findings: { catalogue, written } }: ReadSettings<CoreSettings>,
): Written {
  const staying = new Set(
    catalogue.settings.filter((each) =>
      sameValues(valueIn(current, each), valueIn(settings, each)),
    ),
  );
  const stays = (key: string): boolean => {
    const setting = catalogue.find(key);
    return setting !== undefined && staying.has(setting);
  };
  return new Map([
    ...[...before].filter(([key]) => stays(key)),
    ...[...written].filter(([key]) => !stays(key)),
  ]);
}
