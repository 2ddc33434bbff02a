// Owns Vault as a source of settings: whether there is one, and for how long we are who we are to it. What it gives is
// next door.
import { childEnvironment } from '@tessera/runtime';
import {
  Secret,
  type SettingsSource,
  type SourceRequest,
  type SourceResult,
} from '@tessera/settings';
import { contextPaths } from './context-paths.js';
import type { VaultReader } from './vault-reader.js';
import { VaultSettings } from './vault-settings.js';

/** Stays logged in from one loading to the next, for as long as the settings of the way to Vault are the same. */
export class VaultSource implements SettingsSource {
  private opened: { readonly settings: VaultSettings; readonly reader: VaultReader } | undefined;

  constructor(private readonly environment = childEnvironment({})) {}

  async load(request: SourceRequest): Promise<SourceResult> {
    const settings = request.group(VaultSettings);
    if (settings === undefined || settings.uri === '') return { values: [], problems: [] };
    const { problemOf } = await import('./vault-problems.js');
    try {
      const reader = await this.readerFor(settings);
      return await reader.read(contextPaths(request.applicationName, request.profiles));
    } catch (error) {
      return { values: [], problems: [problemOf(error, 'vault')] };
    }
  }

  /** Ends what is under way; the token is renewed no more. */
  close(): void {
    this.opened?.reader.close();
    this.opened = undefined;
  }

  private async readerFor(settings: VaultSettings): Promise<VaultReader> {
    if (this.opened !== undefined && areSame(this.opened.settings, settings)) {
      return this.opened.reader;
    }
    const { VaultReader } = await import('./vault-reader.js');
    const reader = await VaultReader.open(settings, this.environment);
    this.close();
    this.opened = { settings, reader };
    return reader;
  }
}

function areSame(one: VaultSettings, other: VaultSettings): boolean {
  const revealed = (settings: VaultSettings): unknown[] =>
    Object.values(settings).map((value: unknown) =>
      value instanceof Secret ? value.reveal() : value,
    );
  return JSON.stringify(revealed(one)) === JSON.stringify(revealed(other));
}
