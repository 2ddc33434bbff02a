// Owns the port for the processes that reload together.
import type { ChangedKeys } from '@tessera/settings';

/** A process is ready for new settings, or says why it is not. */
export type Vote = Ready | { readonly problems: readonly string[] };

export interface Ready extends ChangedKeys {
  /** HMAC-SHA256 of all settings: the same for the same settings and key alone. */
  readonly digest: string;
}

/** A process, ours or another. After each `stage` comes one `commit` or `discard`; none of them fails. */
export interface Participant {
  /** Reads the settings, and makes ready for them. @param key for the digest, in base64 */
  stage(key: string): Promise<Vote>;
  /** Puts in force what was made ready; returns when it is. */
  commit(): Promise<void>;
  /** Also where `stage` brought problems. */
  discard(): void;
}
