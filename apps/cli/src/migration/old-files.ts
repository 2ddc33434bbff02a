// Finds the settings files of an Apereo CAS overlay or a Spring Boot program, the weakest first.
import { isUtf8 } from 'node:buffer';
import { readdir, readFile } from 'node:fs/promises';
import { join, posix } from 'node:path';
import { describeReadError } from '@tessera/runtime';
import { CliError } from '../cli-error.js';

/** Where such files are below the directory of an installation or an overlay; later places override earlier ones. */
const PLACES = [
  'WEB-INF/classes',
  'src/main/resources',
  'src/main/resources/config',
  '.',
  'config',
  'etc',
  'etc/cas',
  'etc/cas/config',
] as const;

/** Later names override earlier ones. */
const STEMS = ['bootstrap', 'application', 'cas'];
const EXTENSIONS = ['yaml', 'yml', 'properties'];

const NAME =
  /^(?<stem>bootstrap|application|cas)(?:-(?!theme-)(?<profile>[\w.-]+))?\.(?<extension>properties|ya?ml)$/;

export interface OldFile {
  /** Relative to the directory, with `/`. */
  readonly name: string;
  readonly path: string;
  readonly profile: string | undefined;
  readonly isProperties: boolean;
}

interface Ranked extends OldFile {
  readonly rank: readonly number[];
}

/** @throws CliError where the directory cannot be read or has no such file */
export async function findOldFiles(directory: string): Promise<readonly OldFile[]> {
  const found: Ranked[] = [];
  for (const [at, place] of PLACES.entries()) {
    for (const name of await namesIn(directory, place)) {
      const { stem = '', profile, extension = '' } = NAME.exec(name)?.groups ?? {};
      if (stem === '') continue;
      const rank = [at, STEMS.indexOf(stem), EXTENSIONS.indexOf(extension)];
      const isProperties = extension === 'properties';
      const path = join(directory, place, name);
      found.push({ name: posix.join(place, name), path, profile, isProperties, rank });
    }
  }
  if (found.length > 0) return found.toSorted(byRank);
  const places = PLACES.slice(1).join(', ');
  throw new CliError(
    `there is no cas.properties, application.properties or application.yml in ${directory}, nor in ${places} of it`,
  );
}

/**
 * The files that count with these profiles, those of profiles last.
 *
 * @param profiles the last is the strongest
 */
export function filesOfProfiles(
  files: readonly OldFile[],
  profiles: readonly string[],
): readonly OldFile[] {
  return [
    ...files.filter(({ profile }) => profile === undefined),
    ...profiles.flatMap((name) => files.filter(({ profile }) => profile === name)),
  ];
}

/** UTF-8, or in `.properties` files else ISO 8859-1, as Java writes them. @throws CliError */
export async function readOldFile({ path, name, isProperties }: OldFile): Promise<string> {
  let content: Buffer;
  try {
    content = await readFile(path);
  } catch (error) {
    throw new CliError(`${name} ${describeReadError(error)}`);
  }
  if (isUtf8(content)) return content.toString();
  if (isProperties && !content.includes(0)) return content.toString('latin1');
  throw new CliError(`${name} is not UTF-8 text`);
}

async function namesIn(directory: string, place: string): Promise<readonly string[]> {
  try {
    return await readdir(join(directory, place));
  } catch (error) {
    if (place === '.') throw new CliError(`${directory} ${describeReadError(error)}`);
    return [];
  }
}

function byRank(one: Ranked, other: Ranked): number {
  return one.rank.reduce((order, rank, at) => order || rank - (other.rank[at] ?? 0), 0);
}
