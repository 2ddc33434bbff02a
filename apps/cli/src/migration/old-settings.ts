// Reads the settings of the old server: its files, profiles, placeholders and encrypted values.
import { normaliseKey } from '@tessera/config';
import {
  isActive,
  type PropertyDocument,
  PropertySourceError,
  readProperties,
  readYaml,
  resolvePlaceholders,
  scalarText,
} from '@tessera/property-sources';
import { CliError } from '../cli-error.js';
import { filesOfProfiles, findOldFiles, type OldFile, readOldFile } from './old-files.js';

export interface OldSetting {
  /** As written, but the elements of a list are one setting. */
  readonly key: string;
  /** As written, where `key` is another: that of a backend in a composite. */
  readonly written?: string;
  /** In small letters with hyphens: `cas.authn.ldap[0].ldap-url`. */
  readonly name: string;
  /** Several for a list. */
  readonly values: readonly string[];
  /** The file and the line that count. */
  readonly origin: string;
  /** Why there is no value. */
  readonly unreadable?: string;
}

export interface OldSettings {
  readonly settings: readonly OldSetting[];
  readonly profiles: readonly string[];
  /** Files of profiles that do not count. */
  readonly unreadFiles: readonly string[];
}

/** The text of an encrypted value; undefined where it cannot be decrypted. */
export type Decrypt = (value: string) => Promise<string | undefined>;

/** The number of characters that placeholders may add to all values together. */
const MAX_GROWTH = 1_048_576;
/** The profile of Apereo CAS without any other. */
const DEFAULT_PROFILES = ['standalone'];
const ENCRYPTED = /^\s*(?:\{(?:cas-)?cipher\}|ENC\(.*\)\s*$)/s;

/**
 * @param profiles the last is the strongest; without any, those that the files name
 * @param decrypterOf gets all values, since some name the algorithm
 * @throws CliError naming a file that cannot be read, and its line
 */
export async function readOldSettings(
  directory: string,
  profiles: readonly string[] | undefined,
  decrypterOf: (settings: readonly OldSetting[]) => Promise<Decrypt>,
): Promise<OldSettings> {
  const files = await findOldFiles(directory);
  const documents = new Map<OldFile, readonly PropertyDocument[]>();
  for (const file of files) documents.set(file, await documentsOf(file));
  const active = profiles ?? profilesIn(files, documents);
  const read = filesOfProfiles(files, active);
  const written = read.flatMap((file) =>
    (documents.get(file) ?? [])
      .filter((document) => isActive(document, active))
      .flatMap((document) => settingsOf(file, document)),
  );
  const settings = withoutLists(lastOfEach(written));
  const decrypt = await decrypterOf(settings);
  return {
    settings: await Promise.all(resolved(settings).map((each) => decrypted(each, decrypt))),
    profiles: active,
    unreadFiles: files.filter((file) => !read.includes(file)).map(({ name }) => name),
  };
}

async function documentsOf(file: OldFile): Promise<readonly PropertyDocument[]> {
  const text = await readOldFile(file);
  try {
    return file.isProperties ? readProperties(text, file.name) : readYaml(text, file.name);
  } catch (error) {
    if (error instanceof PropertySourceError) throw new CliError(error.message);
    throw error;
  }
}

function settingsOf({ name: file }: OldFile, { properties }: PropertyDocument): OldSetting[] {
  return [...properties]
    .filter(([key]) => !isActivation(normaliseKey(key)))
    .map(([key, { value, origin }]) => ({
      key,
      name: normaliseKey(key),
      values: [scalarText(value).trim()],
      origin: `${file}:${origin?.line ?? 1}`,
    }));
}

function isActivation(name: string): boolean {
  return /^spring\.(?:config\.activate\.|profiles(?:\[\d+\])?$)/.test(name);
}

function profilesIn(
  files: readonly OldFile[],
  documents: ReadonlyMap<OldFile, readonly PropertyDocument[]>,
): readonly string[] {
  const settings = filesOfProfiles(files, []).flatMap((file) =>
    (documents.get(file) ?? [])
      .filter(({ activation }) => activation === undefined)
      .flatMap((document) => settingsOf(file, document)),
  );
  const found = withoutLists(lastOfEach(settings)).find(
    ({ name }) => name === 'spring.profiles.active',
  );
  const names = found?.values.flatMap((value) => value.split(',')).map((name) => name.trim()) ?? [];
  return names.length > 0 ? names : DEFAULT_PROFILES;
}

/** Of settings with the same name, in any spelling, the last counts. The strongest are last. */
function lastOfEach(settings: readonly OldSetting[]): readonly OldSetting[] {
  const last = new Map<string, OldSetting>();
  for (const each of settings) {
    const name = each.name.replaceAll('-', '');
    last.delete(name);
    last.set(name, each);
  }
  return [...last.values()];
}

/** `a[0]` and `a[1]` become `a` with two values. A list of a stronger file replaces the whole list. */
function withoutLists(settings: readonly OldSetting[]): readonly OldSetting[] {
  const lists = Map.groupBy(settings, ({ name }) => name.replace(/\[\d+\]$/, ''));
  return [...lists].map(([name, elements]) => {
    const strongest = elements.at(-1);
    const own = elements.filter((each) => fileOfOrigin(each) === fileOfOrigin(strongest));
    const [first] = own;
    if (first === undefined) throw new TypeError(`${name} has no elements`);
    const values = own.flatMap((each) => each.values);
    return { ...first, key: first.key.replace(/\[\d+\]$/, ''), name, values };
  });
}

function fileOfOrigin(setting: OldSetting | undefined): string | undefined {
  return setting?.origin.replace(/:\d+$/, '');
}

function resolved(settings: readonly OldSetting[]): readonly OldSetting[] {
  const byName = new Map(settings.map(({ name, values }) => [name, values.join(',')]));
  let remaining = MAX_GROWTH;
  const lookup = (key: string): string | undefined => {
    const value = byName.get(normaliseKey(key));
    remaining -= 1 + (value?.length ?? 0);
    if (remaining >= 0) return value;
    throw new CliError(`${key} stands in so many placeholders that they come to more than 1 MiB`);
  };
  return settings.map((setting) => {
    const values = setting.values.map((value) => resolvePlaceholders(value, lookup));
    const isResolved = !values.some((value) => value.includes('${'));
    return isResolved
      ? { ...setting, values }
      : { ...setting, values: [], unreadable: 'a placeholder in it has no value' };
  });
}

async function decrypted(setting: OldSetting, decrypt: Decrypt): Promise<OldSetting> {
  const values = await Promise.all(
    setting.values.map((value) =>
      ENCRYPTED.test(value) ? decrypt(value) : Promise.resolve(value),
    ),
  );
  const readable = values.filter((value) => value !== undefined);
  return readable.length === values.length
    ? { ...setting, values: readable }
    : { ...setting, values: [], unreadable: 'it cannot be decrypted: give its key' };
}
