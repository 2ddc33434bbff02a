// Owns which files hold settings, in which order they count, and the reading of the directory.
import { readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { readRegularFile } from '@tessera/runtime';
import type { Bootstrap } from '../bootstrap.js';
import type { Catalogue } from '../catalogue.js';
import { layerOf, type Layer } from '../layer.js';
import type { Problem } from '../problem.js';
import type { FileContent, FilesRead } from './files-read.js';
import type { FileValues } from './file-values.js';
import { parsePropertiesFile } from './properties-file.js';
import { parseYamlFile } from './yaml-file.js';

/** Of each file. */
const MOST_BYTES = 1_048_576;
const EXTENSIONS = ['.properties', '.yml', '.yaml'] as const;

/** The file names that count, the strongest first. */
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

/** The paths of all files that would count. */
export function settingsFilePaths(bootstrap: Bootstrap, base: string): readonly string[] {
  const directory = resolve(base, bootstrap.location.path);
  const names = settingsFileNames(bootstrap.applicationName, bootstrap.profiles);
  return names.map((name) => join(directory, name));
}

/** What the settings files say. */
export interface SettingsFiles {
  /** The strongest first. */
  readonly layers: readonly Layer[];
  readonly read: FilesRead;
}

/**
 * The settings files, the strongest first. The directory is listed once and each file
 * read once. A directory that does not exist is a problem only where somebody asked for it.
 *
 * @param base what a relative location is relative to
 */
export async function readSettingsFiles(
  bootstrap: Bootstrap,
  catalogue: Catalogue,
  base: string,
): Promise<SettingsFiles> {
  const { location, applicationName, profiles } = bootstrap;
  const directory = resolve(base, location.path);
  let present: Set<string>;
  try {
    present = new Set(await readdir(directory));
  } catch (error) {
    const isUnasked = codeOf(error) === 'ENOENT' && location.origin === undefined;
    const problems = isUnasked ? [] : [unreadableDirectory(bootstrap, error)];
    const layers = [{ values: new Map(), problems, idle: [] }];
    return { layers, read: { bootstrap, contents: new Map() } };
  }
  const names = settingsFileNames(applicationName, profiles).filter((name) => present.has(name));
  const files = await Promise.all(
    names.map((name) => readSettingsFile(join(directory, name), nameFor(location, name))),
  );
  return {
    layers: files.map(({ entries, problems }) => layerOf(entries, catalogue, problems)),
    read: { bootstrap, contents: new Map(files.map(({ name, content }) => [name, content])) },
  };
}

/** What people call a file. */
function nameFor({ path, isProtected }: Bootstrap['location'], name: string): string {
  return isProtected ? name : join(path, name);
}

interface SettingsFile extends FileValues {
  readonly name: string;
  readonly content: FileContent;
}

async function readSettingsFile(path: string, name: string): Promise<SettingsFile> {
  const reading = await readRegularFile(path, MOST_BYTES);
  if ('fault' in reading) return faulty(reading.fault, name);
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(reading.content);
  } catch {
    return faulty('is not UTF-8 text', name);
  }
  const parsed = name.endsWith('.properties')
    ? parsePropertiesFile(text, name)
    : parseYamlFile(text, name);
  const content = text.trim() === '' ? 'white space' : 'nothing';
  return { ...parsed, name, content: parsed.entries.length > 0 ? 'settings' : content };
}

function faulty(message: string, name: string): SettingsFile {
  return { name, content: 'nothing', entries: [], problems: [{ message, origin: name }] };
}

function unreadableDirectory({ location }: Bootstrap, error: unknown): Problem {
  const message = `names a directory that cannot be read (${codeOf(error)})`;
  const origin = location.origin ?? 'default';
  const shown = location.isProtected ? {} : { value: location.path };
  return { key: 'settings.location', message, ...shown, origin };
}

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? 'unknown error';
}
