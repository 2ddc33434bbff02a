// Owns what the program of a CAS client is asked, and what it answers.
import type { ClientProgram, Thrown } from './client-program.js';

export interface Validation {
  /** URL of the server, ending in a slash. */
  readonly server: string;
  readonly protocol: string;
  readonly service: string;
  readonly ticket: string;
  /** How to read the answer, of a client that has to be told; `null`: it is not told. */
  readonly encoding: string | null;
}

/** What the client handed to its application. */
export type Outcome =
  { readonly returned: { readonly user: string | null; readonly attributes: unknown } } | Thrown;

export type CasProgram = ClientProgram<Validation, Outcome>;
