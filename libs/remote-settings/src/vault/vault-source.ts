// Owns Vault as a source of settings: whether there is one, and for how long we are who we are to it. What it gives is
// next door.
import { childEnvironment, fileState } from '@tessera/runtime';
import {
  sameValues,
  type SettingsSource,
  type SourceRequest,
  type SourceResult,
} from '@tessera/settings';
import { contextPaths } from './context-paths.js';
import type { VaultReader } from './vault-reader.js';
import { VaultSettings } from './vault-settings.js';

/** A reader, and what it was opened with. */
interface Opened {
  readonly reader: VaultReader;
  readonly settings: VaultSettings;
  readonly authorities: string;
}

/** Stays logged in from one loading to the next, for as long as the settings of the way to Vault are the same. */
export class VaultSource implements SettingsSource {
  private opened: Opened | undefined;

  constructor(private readonly environment = childEnvironment({})) {}

  async load(request: SourceRequest): Promise<SourceResult> {
    const settings = request.group(VaultSettings);
    if (settings === undefined || settings.uri === '') {
      return { values: [], problems: [], isInUse: false };
    }
    const { problemOf } = await import('./vault-problems.js');
    try {
      const reader = await this.readerFor(settings);
      return await reader.read(contextPaths(request.applicationName, request.profiles));
    } catch (error) {
      return { values: [], problems: [problemOf(error, { settings, origin: 'vault' })] };
    }
  }

  /** Ends what is under way; the token is renewed no more. */
  close(): void {
    this.opened?.reader.close();
    this.opened = undefined;
  }

  private async readerFor(settings: VaultSettings): Promise<VaultReader> {
    const authorities = await fileState(settings.caFile);
    const { opened } = this;
    const isSame = sameValues(opened?.settings, settings) && opened?.authorities === authorities;
    if (opened !== undefined && isSame) return opened.reader;
    const { VaultReader } = await import('./vault-reader.js');
    const reader = await VaultReader.open(settings, this.environment);
    this.close();
    this.opened = { reader, settings, authorities };
    return reader;
  }
}
