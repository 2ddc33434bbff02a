// Masks protected values in messages that were not written for settings: of files, servers and libraries.
import type { Problem } from '../problem.js';
import { isList, isTree, type RawValue } from '../raw-value.js';
import { MASK } from '../secret.js';

/** Shorter texts, such as `true`, are words of the messages themselves. Paths and addresses are longer. */
const SHORTEST = 8;

export class ProtectedTexts {
  /** The longest first: one may be part of another. */
  private readonly texts: readonly string[];

  constructor(values: Iterable<RawValue>) {
    const texts = [...values].filter((raw) => raw.isProtected).flatMap(textsIn);
    this.texts = [...new Set(texts)]
      .filter((text) => text.length >= SHORTEST)
      .toSorted((one, other) => other.length - one.length);
  }

  mask(message: string): string {
    return this.texts.reduce((masked, text) => masked.replaceAll(text, MASK), message);
  }

  maskProblem(problem: Problem): Problem {
    const { message, origin } = problem;
    return {
      ...problem,
      message: this.mask(message),
      ...(origin !== undefined && { origin: this.mask(origin) }),
    };
  }

  /** Does the work. The message of an error that it throws holds no protected value. */
  async guard<R>(work: () => R | Promise<R>): Promise<R> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof Error) error.message = this.mask(error.message);
      throw error;
    }
  }
}

/** All texts in a value as settings may use them: elements of lists apart, URLs without the slash at their end. */
function textsIn({ content }: RawValue): readonly string[] {
  if (content === null) return [];
  if (isList(content)) return content.flatMap(textsIn);
  if (isTree(content)) return [...content].flatMap(([name, raw]) => [name, ...textsIn(raw)]);
  return [content, ...content.split(',')].map((text) => text.trim().replace(/\/+$/, ''));
}
