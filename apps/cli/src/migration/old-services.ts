// Finds the service files of the old server.
import { readdir } from 'node:fs/promises';
import { join, relative } from 'node:path';
import type { OldSetting } from './old-settings.js';

const DEFAULT_PLACES = [
  'etc/cas/services',
  'services',
  'src/main/resources/services',
  'WEB-INF/classes/services',
];
const CLASS_PATHS = ['src/main/resources', 'WEB-INF/classes'];
const INSTALLATION = '/etc/cas';

/** The directory with `*.json`: that of the settings, in the old directory or on this machine, or the usual one. */
export async function findServices(
  directory: string,
  settings: readonly OldSetting[],
): Promise<string | undefined> {
  const location = settings.find(({ name }) => name === 'cas.service-registry.json.location');
  const places = [
    ...placesOf(location?.values[0] ?? '', directory),
    ...DEFAULT_PLACES.map((place) => join(directory, place)),
  ];
  for (const place of places) if (await hasServices(place)) return place;
  return undefined;
}

function placesOf(location: string, directory: string): readonly string[] {
  if (location === '') return [];
  const path = location.replace(/^[a-z]+\*?:(?:\/\/(?=\/))?/i, '');
  if (/^classpath/i.test(location)) return CLASS_PATHS.map((each) => join(directory, each, path));
  if (!path.startsWith('/')) return [join(directory, path)];
  return [join(directory, path), join(directory, relative(INSTALLATION, path)), path];
}

async function hasServices(place: string): Promise<boolean> {
  try {
    return (await readdir(place)).some((name) => name.endsWith('.json'));
  } catch {
    return false;
  }
}
