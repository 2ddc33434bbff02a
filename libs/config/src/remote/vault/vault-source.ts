// Vault as a source of settings.
import { childEnvironment, FileSnapshot } from '@tessera/runtime';
import {
  sameValues,
  type SettingsSource,
  type SourceRequest,
  type SourceResult,
} from '../../settings/index.js';
import { contextPaths } from './context-paths.js';
import type { KnownValues, VaultReader, VaultReading } from './vault-reader.js';
import { VaultSettings } from './vault-settings.js';

/** A reader, with the settings and the CA file that it was opened with. */
interface Connection {
  readonly reader: VaultReader;
  readonly settings: VaultSettings;
  readonly caFile: FileSnapshot;
}

const NOTHING: SourceResult = { values: [], violations: [], isInUse: false };

/** Stays logged in between loads while the settings of the connection to Vault are the same. */
export class VaultSource implements SettingsSource {
  private current: Connection | undefined;
  /** The values read last, over any connection. */
  private known: KnownValues = new Map();

  constructor(private readonly environment = childEnvironment({})) {}

  async load(request: SourceRequest): Promise<SourceResult> {
    const settings = request.group(VaultSettings);
    if (settings === undefined) return NOTHING;
    if (settings.uri === '') return this.current ? this.without() : NOTHING;
    const { violationOf } = await import('./vault-violations.js');
    let connection: Connection | undefined;
    try {
      connection = await this.connect(settings);
      const paths = contextPaths(request.applicationName, request.profiles);
      return this.resultOf(connection, await connection.reader.read(paths, this.known));
    } catch (error) {
      this.discard(connection);
      return { values: [], violations: [violationOf(error, { settings, origin: 'vault' })] };
    }
  }

  /** Ends requests under way and the renewal of the token. */
  close(): void {
    this.current?.reader.close();
    this.current = undefined;
  }

  private resultOf(
    connection: Connection,
    { values, violations, byPath }: VaultReading,
  ): SourceResult {
    const accept = (): Promise<void> => {
      if (this.current !== connection) this.close();
      this.current = connection;
      this.known = byPath;
      return Promise.resolve();
    };
    return { values, violations, accept, discard: () => this.discard(connection) };
  }

  /** For settings that no longer name Vault. */
  private without(): SourceResult {
    const accept = (): Promise<void> => {
      this.close();
      this.known = new Map();
      return Promise.resolve();
    };
    return { ...NOTHING, accept };
  }

  /** Closes a connection that is not the current one. */
  private discard(connection: Connection | undefined): void {
    if (connection !== this.current) connection?.reader.close();
  }

  private async connect(settings: VaultSettings): Promise<Connection> {
    const caFile = await FileSnapshot.take([settings.caFile]);
    const { current } = this;
    const isSame =
      sameValues(current?.settings, settings) &&
      current !== undefined &&
      caFile.changedSince(current.caFile).length === 0;
    if (isSame) return current;
    const { VaultReader } = await import('./vault-reader.js');
    const reader = await VaultReader.open(settings, this.environment);
    return { reader, settings, caFile };
  }
}
