// Owns the wrapper that keeps a secret out of logs, JSON and inspection. Encryption is elsewhere.
import { inspect } from 'node:util';

/** Stands where a secret is not shown. */
export const MASK = '[secret]';

/** A secret text. Whatever prints it prints `[secret]`; only `reveal` gives it. */
export class Secret {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  reveal(): string {
    return this.#text;
  }

  toString(): string {
    return MASK;
  }

  toJSON(): string {
    return MASK;
  }

  [inspect.custom](): string {
    return MASK;
  }
}
