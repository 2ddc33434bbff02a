// Owns what the backend `git` has to be told. Where that is written is the settings' affair.
import type { Secret } from '@tessera/settings';

/** How git proves who it is, and how it knows whom it talks to. */
export interface GitAccess {
  /** For http and https; shown to the host of the repository alone. */
  readonly credentials?: { readonly username: string; readonly password: Secret } | undefined;
  /** For ssh; empty for the keys of the agent. Letters, digits and any of `._/@+-`. */
  readonly privateKeyFile: string;
  /** For ssh; empty for the user's own. Letters, digits and any of `._/@+-`. */
  readonly knownHostsFile: string;
}

export interface GitOptions {
  /** In one of the forms of settings/git-uri.ts; holds no secret. */
  readonly uri: string;
  readonly access: GitAccess;
  readonly defaultLabel: string;
  readonly searchPaths: readonly string[];
  /** Milliseconds from one fetch to the next; 0 for none by the clock. */
  readonly refresh: number;
  /** Milliseconds for one command. */
  readonly timeout: number;
  /** Whether the clone is served as it is while the repository cannot be fetched. */
  readonly servesLastKnown: boolean;
  /** Holds a bare clone for each address; several processes may use one. */
  readonly cloneDirectory: string;
}
