// Owns the backend `git`: properties in the files of a repository, each label a state of them.
import type {
  BackendEnvironment,
  EnvironmentBackend,
  EnvironmentQuery,
  PlainFile,
  PlainFileQuery,
} from '../environment-backend.js';
import { ConfigFiles } from '../files/config-files.js';
import type { DocumentPlace } from '../files/source-naming.js';
import type { CommitTree } from './commit-tree.js';
import type { Commit } from './git-commits.js';
import type { GitOptions } from './git-options.js';
import { GitRepository } from './git-repository.js';

/** As clients know it from Spring Cloud Config. */
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
      // As Spring does: the root is looked at in any case.
      searchPaths: ['.', ...searchPaths],
      nameOf: (place) => sourceName(uri, place),
    });
  }

  /**
   * Makes the clone, and begins to fetch without waiting for it. Whoever opens it closes it.
   * @throws GitError GIT_UNUSABLE where git cannot be run, or the directory of clones not be written
   */
  static async open(options: GitOptions): Promise<GitBackend> {
    return new GitBackend(await GitRepository.open(options), options);
  }

  async find(query: EnvironmentQuery): Promise<BackendEnvironment> {
    const { commit, tree } = await this.at(query.label);
    const { sources } = await this.files.environmentOf(tree, this.labelled(query));
    return { revision: commit.id, version: commit.id, state: STATE, sources };
  }

  async readFile(query: PlainFileQuery): Promise<PlainFile | undefined> {
    const { tree } = await this.at(query.label);
    return this.files.plainFileOf(tree, this.labelled(query));
  }

  refresh(): Promise<void> {
    return this.repository.refresh();
  }

  close(): Promise<void> {
    return this.repository.close();
  }

  private async at(label: string | undefined): Promise<{ commit: Commit; tree: CommitTree }> {
    const commit = await this.repository.commitOf(label);
    return { commit, tree: await this.repository.commits.tree(commit) };
  }

  /** Search paths may hold the label. */
  private labelled<Q extends EnvironmentQuery>(query: Q): Q {
    return { ...query, label: query.label ?? this.options.defaultLabel };
  }
}

/** The form that existing clients know from a repository, the bracket that is missing there included. */
function sourceName(uri: string, { path, document }: DocumentPlace): string {
  const root = uri.replace(/\/+$/, '');
  return document === undefined
    ? `${root}/${path}`
    : `${root}/Config resource 'file [${path}' via location '' (document #${document})`;
}
