// The port for sources beyond command line, environment and files.
import type { KeyRing } from '@tessera/crypto';
import type { ReportedViolation } from './violation.js';

/**
 * A source with a precedence between environment and files; of several, the earlier one wins. All sources load in parallel.
 * Keys may be nested or dotted. Keys of other applications are ignored.
 */
export interface SettingsSource {
  /** Reports what it cannot read as violations. An exception is a bug in the source. */
  load(request: SourceRequest): Promise<SourceResult>;
}

export interface SourceRequest {
  readonly applicationName: string;
  /** The active profiles; of several, the last wins. */
  readonly profiles: readonly string[];
  /**
   * A group of local settings (command line, environment, files, defaults), such as the source's address and credentials.
   * Undefined if a value in it is invalid; the caller reports that.
   */
  group<G extends object>(groupClass: new () => G): G | undefined;
  /** Keys for what a source saves on disk; undefined if none is configured. */
  readonly keys?: KeyRing | undefined;
  /** True if the source must not write anything. */
  readonly readOnly?: boolean;
}

export interface SourceResult {
  readonly values: readonly SourceValue[];
  readonly violations: readonly ReportedViolation[];
  /** False if no settings configure the source. Default: true. */
  readonly isInUse?: boolean;
  /** Called once all settings, of all sources, are valid and current. Never fails. */
  readonly accept?: () => Promise<void>;
  /** Called instead of `accept` if the settings are rejected. Never fails. */
  readonly discard?: () => void;
}

export interface SourceValue {
  readonly key: string;
  /** Parsed JSON. */
  readonly value: unknown;
  /** As shown to operators: `vault secret/sso`. */
  readonly origin: string;
  /** Whether the value is never shown, whatever its key, because its source holds secrets. */
  readonly isProtected?: boolean;
}
