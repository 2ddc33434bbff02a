// Owns the port for sources beyond command line, environment and files.
import type { KeyRing } from '@tessera/crypto';
import type { Problem } from './problem.js';

/**
 * A source that stands between the environment and the files; of several, the earlier one wins. All are asked at the same
 * time. Values may be nested or dotted, keys of other applications are passed over.
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
  /**
   * A group of settings as this machine has it (command line, environment, files, defaults): the source's own address and
   * credentials. Undefined where a value in it is wrong, which is reported without the source.
   */
  group<G extends object>(groupClass: new () => G): G | undefined;
  /** What a source keeps on the disk is encrypted with them; undefined where there are none. */
  readonly keys?: KeyRing | undefined;
  /** True where nothing may be written. */
  readonly readsOnly?: boolean;
}

/** What a source gives back. */
export interface SourceResult {
  readonly values: readonly SourceValue[];
  readonly problems: readonly Problem[];
  /** Whether anybody was asked: false where no settings say whom. Yes unless told. */
  readonly isInUse?: boolean;
  /** Called when all settings, those of other sources too, are valid and in force. Never fails. */
  readonly accept?: () => Promise<void>;
  /** Called instead where they are not taken. Never fails. */
  readonly discard?: () => void;
}

/** One key with its value as parsed JSON. */
export interface SourceValue {
  readonly key: string;
  readonly value: unknown;
  /** For people: `vault secret/sso`. */
  readonly origin: string;
  /** Whether the value is a secret because of where it is kept: it is never shown then, whatever its key is. */
  readonly isProtected?: boolean;
}
