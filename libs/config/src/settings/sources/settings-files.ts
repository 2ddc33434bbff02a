// The names and precedence of settings files, and how they are read.
import { isUtf8 } from 'node:buffer';
import { readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { describeReadError, readRegularFile } from '@tessera/runtime';
import type { Bootstrap } from '../bootstrap.js';
import type { SettingKeys } from '../setting-keys.js';
import { layerOf, type Layer } from '../layer.js';
import type { ReportedViolation } from '../violation.js';
import type { FileContent, FilesRead, ParsedSettingsFile } from './file-contents.js';
import { parsePropertiesFile } from './properties-file.js';
import { parseYamlFile } from './yaml-file.js';

const MAX_BYTES = 1_048_576;
const MAX_WARNINGS = 100;
const EXTENSIONS = ['.properties', '.yml', '.yaml'] as const;

/** The strongest first. */
function settingsFileNames(applicationName: string, profiles: readonly string[]): string[] {
  const strongestFirst = profiles.toReversed();
  const stems = new Set([
    ...strongestFirst.map((profile) => `${applicationName}-${profile}`),
    ...strongestFirst.map((profile) => `application-${profile}`),
    applicationName,
    'application',
  ]);
  return [...stems].flatMap((stem) => EXTENSIONS.map((extension) => stem + extension));
}

/** The paths of all settings files, whether they exist or not. */
export function settingsFilePaths(bootstrap: Bootstrap, base: string): readonly string[] {
  const directory = resolve(base, bootstrap.location.path);
  const names = settingsFileNames(bootstrap.applicationName, bootstrap.profiles);
  return names.map((name) => join(directory, name));
}

export interface SettingsFiles {
  /** The strongest first. */
  readonly layers: readonly Layer[];
  readonly read: FilesRead;
  /** For the log. */
  readonly warnings: readonly string[];
}

/**
 * Reads the settings files. The directory is listed once and each file read once. A missing directory is a violation only
 * if `settings.location` names it.
 *
 * @param base the base of a relative location
 */
export async function readSettingsFiles(
  bootstrap: Bootstrap,
  settingKeys: SettingKeys,
  base: string,
): Promise<SettingsFiles> {
  const { location, applicationName, profiles } = bootstrap;
  const directory = resolve(base, location.path);
  let present: Set<string>;
  try {
    present = new Set(await readdir(directory));
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    const isMissingDefault = isMissing && location.origin === undefined;
    const violations = isMissingDefault ? [] : [unreadableDirectory(bootstrap, error)];
    const layers = [{ values: new Map(), violations, unusedKeys: [] }];
    return { layers, read: { bootstrap, contents: new Map() }, warnings: [] };
  }
  const names = settingsFileNames(applicationName, profiles).filter((name) => present.has(name));
  const files = await Promise.all(
    names.map((name) =>
      readSettingsFile(join(directory, name), displayName(location, name), profiles),
    ),
  );
  return {
    layers: files.map(({ entries, violations }) => layerOf(entries, settingKeys, violations)),
    read: { bootstrap, contents: new Map(files.map(({ name, content }) => [name, content])) },
    warnings: files.flatMap(({ warnings = [] }) => warnings).slice(0, MAX_WARNINGS),
  };
}

/** The file name as shown to operators. */
function displayName({ path, isProtected }: Bootstrap['location'], name: string): string {
  return isProtected ? name : join(path, name);
}

interface SettingsFile extends ParsedSettingsFile {
  readonly name: string;
  readonly content: FileContent;
}

async function readSettingsFile(
  path: string,
  name: string,
  profiles: readonly string[],
): Promise<SettingsFile> {
  const reading = await readRegularFile(path, MAX_BYTES);
  if ('error' in reading) return unreadableFile(reading.error, name);
  const isProperties = name.endsWith('.properties');
  const text = decode(reading.content, isProperties);
  if (text === undefined) return unreadableFile('is not UTF-8 text', name);
  const parse = isProperties ? parsePropertiesFile : parseYamlFile;
  const parsed = parse(text, name, profiles);
  const content = text.trim() === '' ? 'white space' : 'nothing';
  return { ...parsed, name, content: parsed.entries.length > 0 ? 'settings' : content };
}

/** UTF-8, or in `.properties` files else ISO 8859-1, as Java writes them. UTF-16, which has NULs, is neither. */
function decode(content: Buffer, isProperties: boolean): string | undefined {
  if (isUtf8(content)) return new TextDecoder().decode(content);
  return isProperties && !content.includes(0) ? content.toString('latin1') : undefined;
}

function unreadableFile(message: string, name: string): SettingsFile {
  return { name, content: 'nothing', entries: [], violations: [{ message, origin: name }] };
}

function unreadableDirectory({ location }: Bootstrap, error: unknown): ReportedViolation {
  const message = `names a directory that ${describeReadError(error)}`;
  const origin = location.origin ?? 'default';
  const shown = location.isProtected ? {} : { value: location.path };
  return { key: 'settings.location', message, ...shown, origin };
}
