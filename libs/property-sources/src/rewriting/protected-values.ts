// Finds protected values (`{cipher}…`, and Jasypt's `ENC(…)`) in the text of a file, and replaces them without other changes.
import { countUpTo, SourceText } from '../source-text.js';
import {
  propertiesValues,
  xmlValues,
  yamlValues,
  type SerialisedValue,
  type Span,
} from './serialised-values.js';

/** JSON is YAML; XML is that of Java's properties. */
export type SourceKind = 'yaml' | 'properties' | 'xml';

/** A protected value in a text. An alias of YAML is no value of its own. */
export interface ProtectedValue {
  /** The flat key, as the readers return it; a merged key keeps `<<` as a part. */
  readonly key: string;
  /** Counted from 1. */
  readonly line: number;
  /** `{cipher}`, `{cas-cipher}`, or Jasypt's `ENC(`, which a replacement turns into `{cipher}`. */
  readonly prefix: string;
  readonly isJasypt: boolean;
  /** The text after the prefix, without surrounding white space. */
  readonly cipher: string;
  /** From the prefix to the end of the value, in UTF-16 code units. */
  readonly span: Span;
  /** The header (`|`, `>+`) of a YAML block that keeps the line end after the text. */
  readonly blockHeader?: Span;
  /** Whether a replacement that begins with a brace needs quotes. */
  readonly needsQuotes: boolean;
}

const PREFIX = /^\{(?:cas-)?cipher\}/;
/** The defaults of jasypt-spring-boot, around the whole value; surrounding white space is ignored. */
const JASYPT = { prefix: 'ENC(', suffix: ')' } as const;
/** A whole protected value within a text. */
const EMBEDDED = /ENC\([\w+/=\s-]+\)|\{(?:cas-)?cipher\}(?:\{[\w-]+:[\w.-]+\})*[\w+/=.-]+/;
/** The default of a placeholder that is a protected value. */
const DEFAULT = /\$\{[^]*?:\s*(?:ENC\(|\{(?:cas-)?cipher\})/;
/** The characters of ciphertexts. None has a meaning in YAML or `.properties` at the places of values. */
const CIPHER_TEXT = /^[\w.+/=-]+$/;

/**
 * All protected values, in the order of the text.
 *
 * @param name of the file, for errors
 * @throws PropertySourceError SOURCE_UNREADABLE, with the line, for a text that is not of its kind
 */
export function findProtectedValues(
  text: string,
  kind: SourceKind,
  name: string,
): readonly ProtectedValue[] {
  const source = sourceOf(text, kind, name);
  const original = originalSpans(text);
  const values = [...VALUES[kind](source)];
  return values.flatMap((written) => protectedValue(written, source, original) ?? []);
}

/** A protected value inside a longer text, where {@link replaceProtectedValues} replaces none. */
export interface EmbeddedValue {
  readonly key: string;
  /** Counted from 1. */
  readonly line: number;
  readonly isJasypt: boolean;
  /** Whether it is the default of a placeholder, `${X:ENC(…)}`, which becomes a value of its own. */
  readonly isDefault: boolean;
}

/**
 * The texts with a protected value in them, in the order of the text.
 *
 * @param name of the file, for errors
 * @throws PropertySourceError SOURCE_UNREADABLE, with the line, for a text that is not of its kind
 */
export function findEmbeddedValues(
  text: string,
  kind: SourceKind,
  name: string,
): readonly EmbeddedValue[] {
  const source = sourceOf(text, kind, name);
  return [...VALUES[kind](source)].flatMap(({ key, value, span }) => {
    const [found] = protectedText(value) ? [] : (EMBEDDED.exec(value) ?? []);
    if (found === undefined) return [];
    const { line } = source.originAt(span.start);
    return [{ key, line, isJasypt: found.startsWith('ENC'), isDefault: DEFAULT.test(value) }];
  });
}

const VALUES: Readonly<Record<SourceKind, (source: SourceText) => Iterable<SerialisedValue>>> = {
  yaml: yamlValues,
  properties: propertiesValues,
  xml: xmlValues,
};

/** In YAML 1.1 the control character U+0085 ends a line; offsets stay the same. */
function sourceOf(text: string, kind: SourceKind, name: string): SourceText {
  return new SourceText(kind === 'yaml' ? text.replaceAll('\u0085', '\n') : text, name);
}

/**
 * Replaces values in a text. A value over several lines is written in one line; a value that is replaced by itself does
 * not change.
 *
 * @param replacements ciphertexts without prefix, of letters, digits and `_.+/=-`
 */
export function replaceProtectedValues(
  text: string,
  replacements: ReadonlyMap<ProtectedValue, string>,
): string {
  const edits = [...replacements].flatMap(([value, cipher]) => [...editsOf(text, value, cipher)]);
  let position = 0;
  let result = '';
  for (const { start, end, by } of edits.toSorted((a, b) => a.start - b.start)) {
    result += text.slice(position, start) + by;
    position = end;
  }
  return result + text.slice(position);
}

function protectedValue(
  { key, value, span, blockHeader, isPlain = false }: SerialisedValue,
  source: SourceText,
  original: (span: Span) => Span,
): ProtectedValue | undefined {
  const text = protectedText(value);
  return (
    text && {
      ...text,
      key,
      line: source.originAt(span.start).line,
      span: original(span),
      ...(blockHeader && { blockHeader: original(blockHeader) }),
      needsQuotes: isPlain,
    }
  );
}

function protectedText(
  value: string,
): Pick<ProtectedValue, 'prefix' | 'isJasypt' | 'cipher'> | undefined {
  const prefix = PREFIX.exec(value)?.[0];
  if (prefix !== undefined) {
    return { prefix, isJasypt: false, cipher: value.slice(prefix.length).trim() };
  }
  const text = value.trim();
  if (!text.startsWith(JASYPT.prefix) || !text.endsWith(JASYPT.suffix)) return undefined;
  const cipher = text.slice(JASYPT.prefix.length, -JASYPT.suffix.length).trim();
  return { prefix: JASYPT.prefix, isJasypt: true, cipher };
}

interface Edit extends Span {
  readonly by: string;
}

function* editsOf(text: string, value: ProtectedValue, cipher: string): Iterable<Edit> {
  const { isJasypt, prefix, span, blockHeader, needsQuotes } = value;
  if (cipher === value.cipher) return;
  if (!CIPHER_TEXT.test(cipher)) throw new RangeError(`${value.key}: not what a cipher writes`);
  if (blockHeader) {
    // Without the line end, which would become part of the ciphertext.
    const header = text.slice(blockHeader.start, blockHeader.end);
    yield { ...blockHeader, by: `${header.replace('+', '')}-` };
  }
  const written = (isJasypt ? '{cipher}' : prefix) + cipher;
  yield { ...span, by: needsQuotes ? `'${written}'` : written };
}

/** Maps spans of a {@link SourceText} to spans of the original text. */
function originalSpans(text: string): (span: Span) => Span {
  const mark = text.startsWith('\uFEFF') ? 1 : 0;
  const lineEnds = [...text.matchAll(/\r\n/g)].map(({ index }, before) => index - mark - before);
  const original = (offset: number): number => offset + mark + countUpTo(lineEnds, offset - 1);
  return ({ start, end }) => ({ start: original(start), end: original(end) });
}
