// Builds environments from the files of a tree, and finds plain files in it.
import { setTimeout as sleep } from 'node:timers/promises';
import { sha256 } from '@tessera/crypto';
import { isActive } from '@tessera/property-sources';
import { BackendError } from '../backend-error.js';
import type {
  BackendEnvironment,
  EnvironmentQuery,
  FileTree,
  PlainFile,
  PlainFileQuery,
  PropertySource,
} from '../environment-backend.js';
import { environmentFiles, plainFiles, type CandidateFile } from './candidate-files.js';
import { matchDirectories, type SearchedDirectory } from './directory-patterns.js';
import { malformed, ParsedFileCache, type ParsedFile } from './parsed-file-cache.js';
import { searchedDirectories } from './search-paths.js';

/** In bytes. Plain files are held in memory. */
const MAX_PLAIN_FILE_SIZE = 16 * 1_048_576;
/** The delay between attempts to read files that change while they are read; it doubles each time. */
const MIN_DELAY_MS = 10;
const MAX_DELAY_MS = 160;

export interface DocumentLocation {
  /** Relative to the backend's root: `eu/orders.yml`. */
  readonly path: string;
  /** Of the search path that contains the file: `''` or `eu/`. */
  readonly directory: string;
  /** From 0; undefined where the file has a single document. */
  readonly document: number | undefined;
}

export interface ConfigFilesOptions {
  /** The name of the backend, for errors. */
  readonly backend: string;
  /**
   * Directories of the tree, the strongest last; `''` is its root. May contain `{application}`, `{profile}`, `{label}`, and
   * patterns.
   */
  readonly searchPaths: readonly string[];
  /** The name under which clients see the properties of a document. */
  readonly nameOf: (location: DocumentLocation) => string;
}

/** The revision depends on the content alone: a touched file does not change it. */
export type FileEnvironment = Pick<BackendEnvironment, 'revision' | 'sources'>;

/** A candidate that exists, parsed. */
type FoundFile = CandidateFile & ParsedFile;

export class ConfigFiles {
  private readonly parsedFiles = new ParsedFileCache();

  constructor(private readonly options: ConfigFilesOptions) {}

  /** @throws BackendError BACKEND_UNAVAILABLE; SOURCE_MALFORMED, naming the file */
  async environmentOf(tree: FileTree, query: EnvironmentQuery): Promise<FileEnvironment> {
    const candidates = environmentFiles(await this.directoriesOf(tree, query), query);
    const files = await this.retryWhileChanging(() => this.findAll(tree, candidates));
    const sources = files.flatMap((file) => this.sourcesOf(file, query.profiles));
    return { revision: revisionOf(files), sources };
  }

  /** @throws BackendError BACKEND_UNAVAILABLE; SOURCE_MALFORMED for a file larger than 16 MiB */
  async plainFileOf(tree: FileTree, query: PlainFileQuery): Promise<PlainFile | undefined> {
    const paths = plainFiles(await this.directoriesOf(tree, query), query);
    const found = await this.retryWhileChanging(async () => {
      for (const path of paths) {
        const file = await tree.find(path);
        if (file === undefined) continue;
        if (file.size > MAX_PLAIN_FILE_SIZE) return malformed(path, 'is larger than 16 MiB');
        const content = await file.read();
        return content && { content, modified: file.modified };
      }
      return 'none' as const;
    });
    return found === 'none' ? undefined : found;
  }

  private directoriesOf(tree: FileTree, query: EnvironmentQuery): Promise<SearchedDirectory[]> {
    return matchDirectories(tree, searchedDirectories(this.options.searchPaths, query));
  }

  /** The candidates that exist, in their order; undefined where one changed while it was read. */
  private async findAll(
    tree: FileTree,
    candidates: readonly CandidateFile[],
  ): Promise<FoundFile[] | undefined> {
    const lookups = candidates.map(async (candidate) => {
      const file = await tree.find(candidate.path);
      if (file === undefined) return [];
      const parsed = await this.parsedFiles.get(candidate.path, file);
      return parsed && [{ ...candidate, ...parsed }];
    });
    const found = await Promise.all(lookups);
    return found.includes(undefined) ? undefined : found.flatMap((each) => each ?? []);
  }

  /** A later document beats an earlier one. Inactive documents are skipped, and still counted in the numbers. */
  private sourcesOf(file: FoundFile, profiles: readonly string[]): PropertySource[] {
    const { path, directory, documents } = file;
    const isSingle = documents.length === 1;
    return documents
      .flatMap((document, index) => {
        if (!isActive(document, profiles)) return [];
        const name = this.options.nameOf({
          path,
          directory,
          document: isSingle ? undefined : index,
        });
        return [{ name, properties: document.properties }];
      })
      .toReversed();
  }

  /** @param read undefined where a file changed while it was read */
  private async retryWhileChanging<T>(read: () => Promise<T | undefined>): Promise<T> {
    for (let delay = MIN_DELAY_MS; delay <= MAX_DELAY_MS; delay *= 2) {
      const result = await read();
      if (result !== undefined) return result;
      await sleep(delay);
    }
    throw BackendError.unavailable(this.options.backend, new Error('files keep changing'));
  }
}

function revisionOf(files: readonly FoundFile[]): string {
  return sha256(files.map(({ path, digest }) => `${path}\0${digest}\0`).join(''));
}
