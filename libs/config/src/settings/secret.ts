// A wrapper that keeps a secret out of logs, JSON and inspection.
import { inspect } from 'node:util';

/** Shown in place of a secret. */
export const MASK = '[secret]';

/** A secret text. Only `reveal` returns it; everything else shows `[secret]`. */
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
