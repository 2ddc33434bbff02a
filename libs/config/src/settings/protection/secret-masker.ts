// Masks protected values in messages.
import type { ReportedViolation } from '../violation.js';
import { isList, isTree, type RawValue } from '../raw-value.js';
import { MASK } from '../secret.js';

/** Shorter texts, such as `true`, are common words of messages. */
const MIN_LENGTH = 8;

/** Masks the protected values among the given ones in messages of files, servers and libraries. */
export class SecretMasker {
  /** The longest first: one text may contain another. */
  private readonly texts: readonly string[];

  constructor(values: Iterable<RawValue>) {
    const texts = [...values].filter((raw) => raw.isProtected).flatMap(textsIn);
    this.texts = [...new Set(texts)]
      .filter((text) => text.length >= MIN_LENGTH)
      .toSorted((one, other) => other.length - one.length);
  }

  mask(message: string): string {
    return this.texts.reduce((masked, text) => masked.replaceAll(text, MASK), message);
  }

  maskViolations(violations: readonly ReportedViolation[]): ReportedViolation[] {
    return violations.map((violation) => {
      const { message, origin } = violation;
      const maskedOrigin = origin !== undefined && { origin: this.mask(origin) };
      return { ...violation, message: this.mask(message), ...maskedOrigin };
    });
  }

  /** Runs work, and masks protected values in the message of an error that it throws. */
  async guard<R>(work: () => R | Promise<R>): Promise<R> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof Error) error.message = this.mask(error.message);
      throw error;
    }
  }
}

/** All texts in a value as settings may use them: separate elements of lists, URLs without a trailing slash. */
function textsIn({ content }: RawValue): readonly string[] {
  if (content === null) return [];
  if (isList(content)) return content.flatMap(textsIn);
  if (isTree(content)) return [...content].flatMap(([name, raw]) => [name, ...textsIn(raw)]);
  return [content, ...content.split(',')].map((text) => text.trim().replace(/\/+$/, ''));
}
