// Owns finding protected values (`{cipher}…`, and Jasypt's `ENC(…)`) in the text of a file and writing others in their place, so that nothing else
// changes. What they protect is not known here.
import { countUpTo, SourceText } from '../source-text.js';
import { writtenInProperties } from './properties-values.js';
import type { Span, SerialisedValue } from './serialised-value.js';
import { writtenInYaml } from './yaml-values.js';

/** JSON is YAML. */
export type SourceKind = 'yaml' | 'properties';

/** One place where a protected value is written; an alias of YAML is none. */
export interface ProtectedValue {
  /** Flat, as the readers have it; what is merged by `<<` keeps that in front. */
  readonly key: string;
  /** Counted from 1. */
  readonly line: number;
  /** `{cipher}` or `{cas-cipher}`; Jasypt's `ENC(`, which a bracket ends, becomes `{cipher}` where the value is replaced. */
  readonly prefix: string;
  /** Whether it is one of Jasypt's. */
  readonly isJasypt: boolean;
  /** What follows the prefix, without white space around it. */
  readonly cipher: string;
  /** From the prefix to the end of the value: offsets in the text, in UTF-16 code units. */
  readonly span: Span;
  /** Of a block of YAML that has a line end behind the text: the sign (`|`, `>+`) that says so. */
  readonly blockHeader?: Span;
  /** Whether it needs quotes once it begins with a brace. */
  readonly needsQuotes: boolean;
}

const PREFIX = /^\{(?:cas-)?cipher\}/;
/** Around the whole value, as jasypt-spring-boot has it unless told; white space there does not count. */
const JASYPT = { prefix: 'ENC(', suffix: ')' } as const;
/** What ciphers write; in YAML and properties it means itself wherever the values found here stand. */
const CIPHER_TEXT = /^[\w.+/=-]+$/;

/**
 * All protected values, in the order in which they are written.
 *
 * @param name the file as people know it, for errors
 * @throws PropertySourceError SOURCE_UNREADABLE, with the line, where the text is not what its kind says
 */
export function findProtectedValues(
  text: string,
  kind: SourceKind,
  name: string,
): readonly ProtectedValue[] {
  // To YAML 1.1 this control character ends a line; offsets stay what they are.
  const read = kind === 'yaml' ? text.replaceAll('\u0085', '\n') : text;
  const source = new SourceText(read, name);
  const original = originalSpans(read);
  const values = kind === 'yaml' ? writtenInYaml(source) : writtenInProperties(source);
  return [...values].flatMap((written) => protectedValue(written, source, original) ?? []);
}

/**
 * The text with other values in the places of those that were found in it. A value that was written in several lines
 * stands in one afterwards; one that is replaced by itself stays as it is.
 *
 * @param replacements texts without prefix, of letters, digits and `_.+/=-`
 */
export function replaceProtectedValues(
  text: string,
  replacements: ReadonlyMap<ProtectedValue, string>,
): string {
  const edits = [...replacements].flatMap(([value, cipher]) => [...editsOf(text, value, cipher)]);
  let place = 0;
  let result = '';
  for (const { start, end, by } of edits.toSorted((a, b) => a.start - b.start)) {
    result += text.slice(place, start) + by;
    place = end;
  }
  return result + text.slice(place);
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
    // With the line end that belongs to the block, no cipher would know the text again.
    const header = text.slice(blockHeader.start, blockHeader.end);
    yield { ...blockHeader, by: `${header.replace('+', '')}-` };
  }
  const written = (isJasypt ? '{cipher}' : prefix) + cipher;
  yield { ...span, by: needsQuotes ? `'${written}'` : written };
}

/** Where places in the text of a {@link SourceText} are in the text that it was made of. */
function originalSpans(text: string): (span: Span) => Span {
  const mark = text.startsWith('\uFEFF') ? 1 : 0;
  const lineEnds = [...text.matchAll(/\r\n/g)].map(({ index }, before) => index - mark - before);
  const original = (offset: number): number => offset + mark + countUpTo(lineEnds, offset - 1);
  return ({ start, end }) => ({ start: original(start), end: original(end) });
}
