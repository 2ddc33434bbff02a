// The settings of the backend `native`.
import { boolean, list, Setting, text, type Violation, type SettingsGroup } from '@tessera/config';
import { nativeDirectory, nativeLocationViolation } from './native-location.js';
import { searchPathViolations } from './search-path-rules.js';

const LOCATION = 'config-server.native.location';
const SEARCH_PATHS = 'config-server.native.search-paths';

export interface NativeOptions {
  readonly location: string;
  /** Directories below it, the strongest last; may contain `{application}`, `{profile}`, `{label}`. */
  readonly searchPaths: readonly string[];
}

export class NativeSettings implements SettingsGroup {
  /** A path or a `file:` URL. */
  @Setting('config-server.native.location', text) location = './config-repo';
  /** Directories below it, the strongest last. */
  @Setting('config-server.native.search-paths', list) searchPaths: readonly string[] = ['.'];

  /** Whether each search path is also searched in its subdirectory `{label}`, which wins. Callers choose the label. */
  @Setting('config-server.native.add-label-locations', boolean) addsLabelLocations = false;

  get directory(): string {
    return nativeDirectory(this.location);
  }

  options(): NativeOptions {
    const { directory: location, searchPaths } = this;
    const labelled = this.addsLabelLocations ? searchPaths.map((path) => `${path}/{label}`) : [];
    return { location, searchPaths: [...searchPaths, ...labelled] };
  }

  *check(): Iterable<Violation> {
    const misplaced = nativeLocationViolation(this.location);
    if (misplaced !== undefined) yield { key: LOCATION, message: misplaced };
    if (this.searchPaths.length === 0) {
      yield { key: SEARCH_PATHS, message: 'must name a directory; . is the location itself' };
    }
    // In Spring Cloud Config an absolute path leads out of the location.
    for (const path of this.searchPaths.filter((each) => each.startsWith('/'))) {
      const rule = 'must be relative';
      yield { key: SEARCH_PATHS, message: `"${path}" ${rule}`, rule };
    }
    yield* searchPathViolations(SEARCH_PATHS, this.searchPaths);
  }
}
