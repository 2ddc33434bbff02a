// The parts of a process that its applications use, one after the other. They outlive each of them.
import { Module, type DynamicModule } from '@nestjs/common';
import type { ExplainSettings, Reload } from '@tessera/config';
import type { Listener } from '../listeners/listener.js';

/** All metrics, in the text format of Prometheus. */
export type ReadMetrics = () => Promise<string>;

/**
 * The parts that every application takes by injection. Some modules of the libraries keep state for the whole process, too:
 *
 * - `runtime`: channels of events, with the metrics and traces that subscribe to them; networks of recent logins; addresses of
 *   host names; the handler of SIGHUP
 * - `logging`: loggers with their levels and output, the source of trace ids, the names of secret fields
 * - `server`: the shutdown signal, the last request number, counts of connections and of waiting requests, the times of logged
 *   errors
 * - `crypto`: random bytes for ids, the thread for SHA-crypt
 * - `services`: compiled patterns of proxy policies
 * - `tracing`: summaries of statements
 *
 * `ReloadableSettings` holds the sources of settings: the login to Vault and its leases, and what a config server answered last.
 */
export interface ProcessParts {
  /** Reloads the settings of all processes of this node. */
  readonly reload: Reload;
  /** The current settings for display, secrets masked. */
  readonly explain: ExplainSettings;
  /** The public socket. Without one, the application makes its own. */
  readonly listener?: Listener | undefined;
  /** Reads the metrics of all processes. Without it, the application has no routes for operators. */
  readonly readMetrics?: ReadMetrics | undefined;
  /** Whether no application of this process has started before. */
  readonly isFirst: boolean;
}

/** Injection token of {@link ProcessParts}. */
export const PROCESS_PARTS = Symbol('ProcessParts');

@Module({})
export class ProcessPartsModule {
  /** Global. */
  static forRoot(parts: ProcessParts): DynamicModule {
    return {
      module: ProcessPartsModule,
      global: true,
      providers: [{ provide: PROCESS_PARTS, useValue: parts }],
      exports: [PROCESS_PARTS],
    };
  }
}
