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
import type { KnownValues, VaultReader, VaultReading } from './vault-reader.js';
import { VaultSettings } from './vault-settings.js';

/** A reader, and what it was opened with. */
interface Opened {
  readonly reader: VaultReader;
  readonly settings: VaultSettings;
  readonly authorities: string;
}

const NOTHING: SourceResult = { values: [], violations: [], isInUse: false };

/** Stays logged in from one loading to the next, for as long as the settings of the way to Vault are the same. */
export class VaultSource implements SettingsSource {
  private inForce: Opened | undefined;
  /** Whatever the way to them is. */
  private known: KnownValues = new Map();

  constructor(private readonly environment = childEnvironment({})) {}

  async load(request: SourceRequest): Promise<SourceResult> {
    const settings = request.group(VaultSettings);
    if (settings === undefined) return NOTHING;
    if (settings.uri === '') return this.inForce ? this.without() : NOTHING;
    const { violationOf } = await import('./vault-violations.js');
    let opened: Opened | undefined;
    try {
      opened = await this.openedWith(settings);
      const paths = contextPaths(request.applicationName, request.profiles);
      return this.resultOf(opened, await opened.reader.read(paths, this.known));
    } catch (error) {
      this.discard(opened);
      return { values: [], violations: [violationOf(error, { settings, origin: 'vault' })] };
    }
  }

  /** Ends what is under way; the token is renewed no more. */
  close(): void {
    this.inForce?.reader.close();
    this.inForce = undefined;
  }

  private resultOf(opened: Opened, { values, violations, byPath }: VaultReading): SourceResult {
    const accept = (): Promise<void> => {
      if (this.inForce !== opened) this.close();
      this.inForce = opened;
      this.known = byPath;
      return Promise.resolve();
    };
    return { values, violations, accept, discard: () => this.discard(opened) };
  }

  /** Once Vault is taken out of the settings. */
  private without(): SourceResult {
    const accept = (): Promise<void> => {
      this.close();
      this.known = new Map();
      return Promise.resolve();
    };
    return { ...NOTHING, accept };
  }

  /** One that is not to be in force. */
  private discard(opened: Opened | undefined): void {
    if (opened !== this.inForce) opened?.reader.close();
  }

  private async openedWith(settings: VaultSettings): Promise<Opened> {
    const authorities = await fileState(settings.caFile);
    const { inForce } = this;
    const isSame = sameValues(inForce?.settings, settings) && inForce?.authorities === authorities;
    if (inForce !== undefined && isSame) return inForce;
    const { VaultReader } = await import('./vault-reader.js');
    const reader = await VaultReader.open(settings, this.environment);
    return { reader, settings, authorities };
  }
}
