// Owns what `${…}` in a text stands for. Where values come from, and how much they may come to, is the asker's.

/** Placeholders within placeholders, and within what they stand for. */
const DEEPEST_NESTING = 50;

const OPENING = '${';

/** As many backslashes as Spring drops in front of a placeholder that they keep from being read. */
const MOST_ESCAPES = 2;

type Lookup = (key: string) => string | undefined;

/**
 * The text with `${key}` and `${key:default}` replaced, whatever they stand for likewise. `${a:b}` is first looked for as
 * one key. Placeholders nest (`${a:${b}}`, `${a.${b}}`); `\${a}` gives `${a}`. What nothing is found for, leads back to
 * itself, or is nested too deeply stays as it is.
 *
 * @param lookup the text of a key, undefined where there is none. Placeholders of placeholders come to any size at once:
 *   whoever is asked counts what they come to, and ends it by throwing
 */
export function resolvePlaceholders(text: string, lookup: Lookup): string {
  return new Resolution(lookup).resolve(text);
}

/** Where one that begins at a `{` ends, and where its default begins. */
interface Placeholder {
  readonly closing: number;
  /** Before the default: neither escaped nor within inner braces. */
  readonly colon: number | undefined;
}

/** A text that was looked through once, however deeply what is in it nests. */
interface ScannedText {
  readonly text: string;
  /** By where their `$` stands. */
  readonly placeholders: ReadonlyMap<number, Placeholder>;
}

class Resolution {
  /** Keys whose values are being read. */
  readonly #within = new Set<string>();
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
    if (this.#depth === DEEPEST_NESTING) return scanned.text.slice(at, closing + 1);
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
    if (this.#within.has(key)) return undefined;
    const text = this.lookup(key);
    if (text === undefined) return undefined;
    this.#within.add(key);
    const resolved = this.resolve(text);
    this.#within.delete(key);
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
  while (count < MOST_ESCAPES && at - count > start && text[at - count - 1] === '\\') count += 1;
  return count;
}
