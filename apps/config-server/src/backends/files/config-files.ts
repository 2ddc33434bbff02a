// Owns what files mean: how those of a tree make an environment, and which plain file is asked for. How files are found
// and read is the tree's affair.
import { setTimeout as pause } from 'node:timers/promises';
import { sha256 } from '@tessera/crypto';
import { isActive } from '@tessera/property-sources';
import { BackendError } from '../backend-error.js';
import type {
  BackendEnvironment,
  EnvironmentQuery,
  PlainFile,
  PlainFileQuery,
  PropertySource,
} from '../environment-backend.js';
import type { FileTree } from '../file-tree.js';
import { environmentFiles, plainFiles, type CandidateFile } from './candidate-files.js';
import { malformed, type ParsedFile } from './parsed-file.js';
import { ParsedFiles } from './parsed-files.js';
import type { SourceNaming } from './source-naming.js';

/** In bytes: plain files go through memory. */
const LARGEST_PLAIN_FILE = 16 * 1_048_576;
/** Milliseconds between looks at files that change while they are read: twice as many each time. */
const SHORTEST_PAUSE = 10;
const LONGEST_PAUSE = 160;

export interface ConfigFilesOptions {
  /** The name of the backend, for errors. */
  readonly backend: string;
  /** Directories of the tree, the strongest last; `''` is its root. May hold `{application}`, `{profile}`, `{label}`. */
  readonly searchPaths: readonly string[];
  readonly nameOf: SourceNaming;
}

/** Its revision is of the content alone: a file that was only touched leaves it as it was. */
export type FileEnvironment = Pick<BackendEnvironment, 'revision' | 'sources'>;

/** A candidate that is there, read. */
type FoundFile = CandidateFile & ParsedFile;

export class ConfigFiles {
  private readonly parsed = new ParsedFiles();

  constructor(private readonly options: ConfigFilesOptions) {}

  /** @throws BackendError BACKEND_UNAVAILABLE; SOURCE_MALFORMED, naming the file */
  async environmentOf(tree: FileTree, query: EnvironmentQuery): Promise<FileEnvironment> {
    const candidates = environmentFiles(this.options.searchPaths, query);
    const files = await this.settled(() => this.findAll(tree, candidates));
    const sources = files.flatMap((file) => this.sourcesOf(file, query.profiles));
    return { revision: revisionOf(files), sources };
  }

  /** @throws BackendError BACKEND_UNAVAILABLE; SOURCE_MALFORMED for a file larger than 16 MiB */
  async plainFileOf(tree: FileTree, query: PlainFileQuery): Promise<PlainFile | undefined> {
    const paths = plainFiles(this.options.searchPaths, query);
    const found = await this.settled(async () => {
      for (const path of paths) {
        const file = await tree.find(path);
        if (file === undefined) continue;
        if (file.size > LARGEST_PLAIN_FILE) return malformed(path, 'is larger than 16 MiB');
        const content = await file.read();
        return content && { content, modified: file.modified };
      }
      return 'none' as const;
    });
    return found === 'none' ? undefined : found;
  }

  /** Those that are there, in the order of the candidates; undefined where one changed meanwhile. */
  private async findAll(
    tree: FileTree,
    candidates: readonly CandidateFile[],
  ): Promise<FoundFile[] | undefined> {
    const looks = candidates.map(async (candidate) => {
      const file = await tree.find(candidate.path);
      if (file === undefined) return [];
      const parsed = await this.parsed.of(candidate.path, file);
      return parsed && [{ ...candidate, ...parsed }];
    });
    const found = await Promise.all(looks);
    return found.includes(undefined) ? undefined : found.flatMap((each) => each ?? []);
  }

  /** A later document beats an earlier one; those that do not count keep their numbers. */
  private sourcesOf(file: FoundFile, profiles: readonly string[]): PropertySource[] {
    const { path, directory, documents } = file;
    const isOne = documents.length === 1;
    return documents
      .flatMap((document, index) => {
        if (!isActive(document, profiles)) return [];
        const name = this.options.nameOf({ path, directory, document: isOne ? undefined : index });
        return [{ name, properties: document.properties }];
      })
      .toReversed();
  }

  /** Looks until nothing changes meanwhile: whoever writes files is done soon. */
  private async settled<T>(look: () => Promise<T | undefined>): Promise<T> {
    for (let wait = SHORTEST_PAUSE; wait <= LONGEST_PAUSE; wait *= 2) {
      const seen = await look();
      if (seen !== undefined) return seen;
      await pause(wait);
    }
    throw BackendError.unavailable(this.options.backend, new Error('files change all the time'));
  }
}

function revisionOf(files: readonly FoundFile[]): string {
  return sha256(files.map(({ path, digest }) => `${path}\0${digest}\0`).join(''));
}
