// The backend `git`: properties in files of a repository; a label selects a commit, several labels one each.
import type {
  BackendEnvironment,
  EnvironmentBackend,
  EnvironmentQuery,
  PlainFile,
  PlainFileQuery,
} from '../environment-backend.js';
import { ConfigFiles, type DocumentLocation } from '../files/config-files.js';
import type { Commit, CommitTree } from './git-commits.js';
import type { GitOptions } from '../../settings/git-settings.js';
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
   *
   * @param continues as for {@link GitRepository.open}
   * @throws GitError GIT_UNUSABLE where git cannot be run, or the clone directory cannot be written
   */
  static async open(options: GitOptions, continues = false): Promise<GitBackend> {
    return new GitBackend(await GitRepository.open(options, continues), options);
  }

  /** Of several labels, separated by commas, the sources of the last come first. */
  async find(query: EnvironmentQuery): Promise<BackendEnvironment> {
    const labels = this.labelOf(query).split(',');
    const found = await Promise.all(
      labels.map(async (label) => {
        const { commit, tree } = await this.treeOf(label);
        const { sources } = await this.files.environmentOf(tree, { ...query, label });
        return { id: commit.id, sources };
      }),
    );
    const version = found.map(({ id }) => id).join(',');
    const sources = found.toReversed().flatMap((each) => each.sources);
    return { revision: version, version, state: STATE, sources };
  }

  /** A file has one label: several are unknown. */
  async readFile(query: PlainFileQuery): Promise<PlainFile | undefined> {
    const label = this.labelOf(query);
    const { tree } = await this.treeOf(label);
    return this.files.plainFileOf(tree, { ...query, label });
  }

  refresh(): Promise<void> {
    return this.repository.refresh();
  }

  close(): Promise<void> {
    return this.repository.close();
  }

  private async treeOf(label: string): Promise<{ commit: Commit; tree: CommitTree }> {
    const commit = await this.repository.commitOf(label);
    return { commit, tree: await this.repository.commits.tree(commit) };
  }

  private labelOf({ label = this.options.defaultLabel }: EnvironmentQuery): string {
    return label;
  }
}

/** The name that Spring Cloud Config gives a source, with its missing closing bracket. */
function sourceName(uri: string, { path, document }: DocumentLocation): string {
  const root = uri.replace(/\/+$/, '');
  return document === undefined
    ? `${root}/${path}`
    : `${root}/Config resource 'file [${path}' via location '' (document #${document})`;
}
