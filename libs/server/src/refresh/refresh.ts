// Owns what the endpoint has to be told: how settings are read anew, and who may ask for it.
import type { IncomingMessage } from 'node:http';

/** What changed, or every problem for which nothing did. */
export type RefreshOutcome =
  | {
      readonly changed: readonly string[];
      /** Those whose values, changed now or before, count after a restart alone. */
      readonly restart: readonly string[];
    }
  | { readonly problems: readonly string[] };

export interface RefreshOptions {
  /** Reads all settings anew. @param cause for the log */
  readonly reload: (cause: string) => Promise<RefreshOutcome>;
  /**
   * Lets the caller in, or throws. It is asked first.
   * @returns who it is, for the log: `192.0.2.1`, `ann at 192.0.2.1`
   * @throws AdmissionError
   */
  readonly admit: (request: IncomingMessage) => Promise<string>;
}

/** The injection token of the above. */
export const REFRESH = Symbol('REFRESH');
