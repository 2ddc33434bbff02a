// Owns the backend `native`: a directory of this machine. Labels are none of its own: any is as good as another.
import type {
  BackendEnvironment,
  EnvironmentBackend,
  EnvironmentQuery,
  PlainFile,
  PlainFileQuery,
} from '../environment-backend.js';
import { ConfigFiles } from '../files/config-files.js';
import type { DocumentPlace } from '../files/source-naming.js';
import { DirectoryTree } from './directory-tree.js';

export interface NativeOptions {
  readonly location: string;
  /** Directories below it, the strongest last; may hold `{application}`, `{profile}`, `{label}`. */
  readonly searchPaths: readonly string[];
}

export class NativeBackend implements EnvironmentBackend {
  readonly name = 'native';
  private readonly files: ConfigFiles;

  constructor(private readonly options: NativeOptions) {
    const { searchPaths } = options;
    this.files = new ConfigFiles({ backend: this.name, searchPaths, nameOf: sourceName });
  }

  async find(query: EnvironmentQuery): Promise<BackendEnvironment> {
    const found = await this.inTree((tree) => this.files.environmentOf(tree, query));
    return { ...found, version: null, state: null };
  }

  readFile(query: PlainFileQuery): Promise<PlainFile | undefined> {
    return this.inTree((tree) => this.files.plainFileOf(tree, query));
  }

  private async inTree<T>(look: (tree: DirectoryTree) => Promise<T>): Promise<T> {
    const tree = await DirectoryTree.open(this.options.location);
    const seen = await look(tree);
    await tree.confirm();
    return seen;
  }
}

/** Spring's name of the source, were the directory `./`. */
function sourceName({ path, directory, document }: DocumentPlace): string {
  if (document === undefined) return `file:${path}`;
  const location = `file:./${directory}`;
  return `Config resource 'file [${path}]' via location '${location}' (document #${document})`;
}
