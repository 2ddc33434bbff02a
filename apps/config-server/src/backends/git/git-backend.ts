// The backend `git`: properties in files of a repository; a label selects a commit.
import type {
  BackendEnvironment,
  EnvironmentBackend,
  EnvironmentQuery,
  PlainFile,
  PlainFileQuery,
} from '../environment-backend.js';
import { ConfigFiles, type DocumentLocation } from '../files/config-files.js';
import type { Commit, CommitTree } from './git-commits.js';
import type { GitOptions } from './git-environment.js';
import { GitRepository } from './git-repository.js';

/** The value that Spring Cloud Config sends. */
const STATE = '';

export class GitBackend implements EnvironmentBackend {
  readonly name = 'git';
  private readonly files: ConfigFiles;

  private constructor(
    private readonly repository: GitRepository,
    private readonly options: GitOptions,
  ) {
    const { uri, searchPaths } = options;
    this.files = new ConfigFiles({
      backend: this.name,
      // Spring Cloud Config always searches the root, too.
      searchPaths: ['.', ...searchPaths],
      nameOf: (place) => sourceName(uri, place),
    });
  }

  /**
   * Creates the clone and starts the first fetch, without waiting for it. The caller closes the backend.
   * @throws GitError GIT_UNUSABLE where git cannot be run, or the clone directory cannot be written
   */
  static async open(options: GitOptions): Promise<GitBackend> {
    return new GitBackend(await GitRepository.open(options), options);
  }

  async find(query: EnvironmentQuery): Promise<BackendEnvironment> {
    const { commit, tree } = await this.treeOf(query.label);
    const { sources } = await this.files.environmentOf(tree, this.withLabel(query));
    return { revision: commit.id, version: commit.id, state: STATE, sources };
  }

  async readFile(query: PlainFileQuery): Promise<PlainFile | undefined> {
    const { tree } = await this.treeOf(query.label);
    return this.files.plainFileOf(tree, this.withLabel(query));
  }

  refresh(): Promise<void> {
    return this.repository.refresh();
  }

  close(): Promise<void> {
    return this.repository.close();
  }

  private async treeOf(label: string | undefined): Promise<{ commit: Commit; tree: CommitTree }> {
    const commit = await this.repository.commitOf(label);
    return { commit, tree: await this.repository.commits.tree(commit) };
  }

  /** Search paths may contain the label. */
  private withLabel<Q extends EnvironmentQuery>(query: Q): Q {
    return { ...query, label: query.label ?? this.options.defaultLabel };
  }
}

/** The name that Spring Cloud Config gives a source, with its missing closing bracket. */
function sourceName(uri: string, { path, document }: DocumentLocation): string {
  const root = uri.replace(/\/+$/, '');
  return document === undefined
    ? `${root}/${path}`
    : `${root}/Config resource 'file [${path}' via location '' (document #${document})`;
}
