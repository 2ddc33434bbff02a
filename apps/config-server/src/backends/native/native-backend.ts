// The backend `native`: a local directory. A label only fills the placeholder in search paths.
import type {
  BackendEnvironment,
  EnvironmentBackend,
  EnvironmentQuery,
  PlainFile,
  PlainFileQuery,
} from '../environment-backend.js';
import type { NativeOptions } from '../../settings/native-settings.js';
import { ConfigFiles, type DocumentLocation } from '../files/config-files.js';
import { DirectoryTree } from './directory-tree.js';

export class NativeBackend implements EnvironmentBackend {
  readonly name = 'native';
  private readonly files: ConfigFiles;

  constructor(private readonly options: NativeOptions) {
    const { searchPaths } = options;
    this.files = new ConfigFiles({ backend: this.name, searchPaths, nameOf: sourceName });
  }

  async find(query: EnvironmentQuery): Promise<BackendEnvironment> {
    const found = await this.withTree((tree) => this.files.environmentOf(tree, query));
    return { ...found, version: null, state: null };
  }

  readFile(query: PlainFileQuery): Promise<PlainFile | undefined> {
    return this.withTree((tree) => this.files.plainFileOf(tree, query));
  }

  private async withTree<T>(read: (tree: DirectoryTree) => Promise<T>): Promise<T> {
    const tree = await DirectoryTree.open(this.options.location);
    const result = await read(tree);
    await tree.confirm();
    return result;
  }
}

/** The name that Spring Cloud Config gives the source if its location is `./`. */
function sourceName({ path, directory, document }: DocumentLocation): string {
  if (document === undefined) return `file:${path}`;
  const location = `file:./${directory}`;
  return `Config resource 'file [${path}]' via location '${location}' (document #${document})`;
}
