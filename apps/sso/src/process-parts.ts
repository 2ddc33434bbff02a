// What outlives an application: these parts belong to the process, and every application of it uses them in turn.
import { Module, type DynamicModule } from '@nestjs/common';
import type { ExplainSettings, Reload } from '@tessera/config';
import type { Listener } from '@tessera/server';

/** All metrics, in the text format of Prometheus. */
export type ReadMetrics = () => Promise<string>;

/**
 * Besides these, what a module keeps outside of any application: channels of events with their metrics and traces, checks of
 * passwords that wait for their turn, caches of host names and of compiled patterns.
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
  /** One id for the processes of this node, to recognise their announcements in the database. */
  readonly nodeId: string;
  /** Whether it serves callers and sends logout messages. The primary process of several does neither. */
  readonly servesRequests: boolean;
  /** Whether no application of this process has started before: only the first one imports files and migrates. */
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
