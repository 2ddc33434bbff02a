// Owns the port for sources beyond command line, environment and files.
import type { Problem } from './problem.js';

/**
 * A source that stands between the environment and the files; of several, the earlier one wins.
 * Values may be nested or dotted, keys of other applications are passed over.
 */
export interface SettingsSource {
  /** Reports what it cannot read as problems; an exception is a mistake in the source. */
  load(request: SourceRequest): Promise<SourceResult>;
}

/** What a source is told. */
export interface SourceRequest {
  readonly applicationName: string;
  /** The active profiles; of several, the last wins. */
  readonly profiles: readonly string[];
  /** A scalar as the sources read so far have it: the source's own address and credentials. */
  text(key: string): string | undefined;
}

/** What a source gives back. */
export interface SourceResult {
  readonly values: readonly SourceValue[];
  readonly problems: readonly Problem[];
}

/** One key with its value as parsed JSON. */
export interface SourceValue {
  readonly key: string;
  readonly value: unknown;
  /** For people: `vault secret/sso`. */
  readonly origin: string;
}
