// Resolves `${…}` placeholders in a text.

/** Of placeholders in placeholders and in their values. */
const MAX_NESTING = 50;

const OPENING = '${';

/** Spring removes at most this many backslashes before an escaped placeholder. */
const MAX_ESCAPES = 2;

/** A text without placeholders, whatever it holds. */
interface LiteralText {
  readonly literal: string;
}

type Lookup = (key: string) => string | LiteralText | undefined;

/**
 * Replaces `${key}` and `${key:default}`, also in the values. `${a:b}` is first looked up as one key. Placeholders nest
 * (`${a:${b}}`, `${a.${b}}`); `\${a}` gives `${a}`. A placeholder stays unchanged if it has no value, refers to itself or is
 * nested too deeply.
 *
 * @param lookup returns the text of a key, or undefined. Nested placeholders can grow to any size: `lookup` must count, and
 *   throw to stop
 */
export function resolvePlaceholders(text: string, lookup: Lookup): string {
  return new Resolution(lookup).resolve(text);
}

/** Offsets of the end and of the default. */
interface Placeholder {
  readonly closing: number;
  /** The colon before the default: not escaped, and not in inner braces. */
  readonly colon: number | undefined;
}

/** A text whose placeholders were found in one pass. */
interface ScannedText {
  readonly text: string;
  /** By the offset of their `$`. */
  readonly placeholders: ReadonlyMap<number, Placeholder>;
}

class Resolution {
  /** Keys whose values are being resolved. */
  readonly #resolving = new Set<string>();
  #depth = 0;

  constructor(private readonly lookup: Lookup) {}

  resolve(text: string): string {
    return text.includes(OPENING) ? this.#part(scan(text), 0, text.length) : text;
  }

  #part(scanned: ScannedText, start: number, end: number): string {
    const { text, placeholders } = scanned;
    const parts: string[] = [];
    let done = start;
    let at = text.indexOf(OPENING, start);
    while (at >= 0 && at < end) {
      const escapes = backslashesBefore(text, at, done);
      const placeholder = placeholders.get(at);
      if (escapes > 0) {
        parts.push(text.slice(done, at - escapes), OPENING);
        done = at + OPENING.length;
      } else if (placeholder) {
        parts.push(text.slice(done, at), this.#replacement(scanned, at, placeholder));
        done = placeholder.closing + 1;
      }
      at = text.indexOf(OPENING, Math.max(done, at + OPENING.length));
    }
    return parts.join('') + text.slice(done, end);
  }

  #replacement(scanned: ScannedText, at: number, { closing, colon }: Placeholder): string {
    if (this.#depth === MAX_NESTING) return scanned.text.slice(at, closing + 1);
    this.#depth += 1;
    const start = at + OPENING.length;
    const inner = scanned.text.indexOf(OPENING, start);
    const mayBeOneKey = colon === undefined || inner < 0 || inner > closing;
    const whole = mayBeOneKey ? this.#key(scanned, start, closing) : undefined;
    let text = whole === undefined ? undefined : this.#value(whole);
    if (colon !== undefined) {
      text ??= this.#value(this.#key(scanned, start, colon));
      text ??= this.#part(scanned, colon + 1, closing);
    }
    this.#depth -= 1;
    return text ?? `\${${whole}}`;
  }

  #key(scanned: ScannedText, start: number, end: number): string {
    return this.#part(scanned, start, end).replaceAll('\\:', ':');
  }

  #value(key: string): string | undefined {
    if (this.#resolving.has(key)) return undefined;
    const found = this.lookup(key);
    if (typeof found !== 'string') return found?.literal;
    this.#resolving.add(key);
    const resolved = this.resolve(found);
    this.#resolving.delete(key);
    return resolved;
  }
}

function scan(text: string): ScannedText {
  const placeholders = new Map<number, Placeholder>();
  const open: { readonly at: number; colon: number | undefined }[] = [];
  for (const { 0: sign, index } of text.matchAll(/\\:|[:{}]/g)) {
    const innermost = open.at(-1);
    if (sign === '{') {
      open.push({ at: index, colon: undefined });
    } else if (sign === ':' && innermost) {
      innermost.colon ??= index;
    } else if (sign === '}' && innermost) {
      open.pop();
      const { at, colon } = innermost;
      if (text[at - 1] === '$') placeholders.set(at - 1, { closing: index, colon });
    }
  }
  return { text, placeholders };
}

function backslashesBefore(text: string, at: number, start: number): number {
  let count = 0;
  while (count < MAX_ESCAPES && at - count > start && text[at - count - 1] === '\\') count += 1;
  return count;
}
