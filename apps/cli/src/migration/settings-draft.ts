// The settings to write, and what became of each old one.
import type { MigrationRow } from '@tessera/config';
import type { OldSetting } from './old-settings.js';

export type Application = 'sso' | 'config-server';

/** An old setting with its row of the table. */
export interface Matched {
  readonly old: OldSetting;
  readonly row: MigrationRow | undefined;
}

export type SettingValue = string | readonly string[] | ValueMap;

export interface ValueMap {
  readonly [name: string]: SettingValue;
}

export interface NewSetting {
  readonly key: string;
  readonly value: SettingValue;
  /** For the comment: the old keys if ours is another. */
  readonly from: readonly string[];
}

/** `taken`: under the same key. `renamed`: under another. `missing`: of a part that is not here yet. */
export type Section = 'taken' | 'renamed' | 'left' | 'weaker' | 'missing';

export interface ReportEntry {
  readonly key: string;
  readonly origin: string;
  readonly section: Section;
  /** Keys of ours. */
  readonly here?: readonly string[];
  /** A consequence for users or operators. */
  readonly note?: string;
  /** For `weaker`: the key or group to accept. */
  readonly accept?: string;
  readonly accepted?: boolean;
}

/** Collects settings and entries. Each old setting gets one entry: the first. */
export class SettingsDraft {
  readonly #settings = new Map<string, NewSetting>();
  readonly #entries = new Map<string, ReportEntry>();

  get settings(): readonly NewSetting[] {
    return [...this.#settings.values()];
  }

  /** In the order of the old settings. */
  entriesOf(settings: readonly OldSetting[]): readonly ReportEntry[] {
    return settings.flatMap((old) => this.#entries.get(writtenKey(old)) ?? []);
  }

  has(old: OldSetting): boolean {
    return this.#entries.has(writtenKey(old));
  }

  valueOf(key: string): SettingValue | undefined {
    return this.#settings.get(key)?.value;
  }

  /** Sets a value that no old setting has. Maps of the same key are merged. */
  set(key: string, value: SettingValue, from: readonly string[] = []): void {
    const before = this.#settings.get(key);
    const isMerged = isMap(value) && before !== undefined && isMap(before.value);
    this.#settings.set(key, {
      key,
      value: isMerged ? { ...before.value, ...value } : value,
      from: [...(before?.from ?? []), ...from],
    });
  }

  /** Sets the value of an old setting under our keys. */
  take(old: OldSetting, values: Readonly<Record<string, SettingValue>>, note?: string): void {
    const here = Object.keys(values);
    for (const [key, value] of Object.entries(values)) {
      this.set(key, value, key === old.name ? [] : [writtenKey(old)]);
    }
    this.renamed(old, here, note);
  }

  /** Notes that an old setting is in ours. */
  renamed(old: OldSetting, here: readonly string[], note?: string): void {
    const isSame = here.length === 1 && here[0] === old.name;
    this.#note(old, {
      section: isSame ? 'taken' : 'renamed',
      here,
      ...(note !== undefined && { note }),
    });
  }

  leave(old: OldSetting, note: string): void {
    this.#note(old, { section: 'left', note });
  }

  miss(old: OldSetting, note: string): void {
    this.#note(old, { section: 'missing', note });
  }

  weaken(old: OldSetting, note: string, accept: string): void {
    this.#note(old, { section: 'weaker', note, accept });
  }

  #note(old: OldSetting, entry: Omit<ReportEntry, 'key' | 'origin'>): void {
    if (this.has(old)) return;
    this.#entries.set(writtenKey(old), { key: writtenKey(old), origin: old.origin, ...entry });
  }
}

function writtenKey({ key, written = key }: OldSetting): string {
  return written;
}

export function isMap(value: SettingValue): value is ValueMap {
  return typeof value === 'object' && !Array.isArray(value);
}
