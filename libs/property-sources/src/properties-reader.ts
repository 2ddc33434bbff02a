// Reads `.properties` text as Spring Boot does.
import { parseLines, type Comment, type Pair } from 'dot-properties';
import { withActivation } from './activation.js';
import { ContentBudget, ENTRY_SIZE, refuseManyDocuments } from './content-budget.js';
import type { Properties, Property, PropertyDocument } from './property-document.js';
import { SourceText } from './source-text.js';

/** Such as `\u12`, or a Windows path. */
const INVALID_ESCAPE = /(?<!\\)(?:\\\\)*\\u(?![0-9a-fA-F]{4})/;

const SEPARATOR = /^[#!]---[ \t\f]*$/;

/**
 * The documents of a file, separated by lines of `#---` or `!---`; empty ones are left out. Values are texts. The last
 * value of a repeated key counts. `key[]=a,b` gives `key[0]` and `key[1]`.
 *
 * @param name of the file, for errors
 * @throws PropertySourceError SOURCE_UNREADABLE for an incomplete escape, an invalid profile expression, or too much content
 */
export function readProperties(text: string, name: string): PropertyDocument[] {
  const source = new SourceText(text, name);
  const budget = new ContentBudget(source);
  const documents = new Documents();
  for (const line of parseLines(source.text, true)) {
    if (line.type === 'PAIR') addPair(documents.current(), line as Required<Pair>, source, budget);
    else if (line.type === 'COMMENT') documents.comment(line as Required<Comment>, source.text);
  }
  const written = documents.written();
  refuseManyDocuments(written, source);
  return withActivation(written, source);
}

/** A value and its offsets in the text. */
export interface ValueSpan {
  readonly key: string;
  readonly value: string;
  readonly start: number;
  readonly end: number;
}

/** Splits the lines of a file into documents. */
class Documents {
  readonly #finished: Map<string, Property>[] = [];
  #current = new Map<string, Property>();
  #prefixAbove = '';

  current(): Map<string, Property> {
    this.#prefixAbove = '';
    return this.#current;
  }

  /** A separator next to a comment is a comment itself. */
  comment({ comment, range: [offset] }: Required<Comment>, text: string): void {
    const prefix = comment.slice(0, 1);
    const atLineStart = offset === 0 || text[offset - 1] === '\n';
    if (atLineStart && prefix !== this.#prefixAbove && SEPARATOR.test(comment)) {
      if (this.#current.size > 0) this.#finished.push(this.#current);
      this.#current = new Map();
    } else {
      if (this.#current.size === 0) this.#current = this.#finished.pop() ?? this.#current;
      this.#prefixAbove = prefix;
    }
  }

  written(): Properties[] {
    return [...this.#finished, this.#current].filter(({ size }) => size > 0);
  }
}

function addPair(
  properties: Map<string, Property>,
  pair: Required<Pair>,
  source: SourceText,
  budget: ContentBudget,
): void {
  const [start, , , end] = pair.range;
  const invalidAt = source.text.slice(start, end).search(INVALID_ESCAPE);
  if (invalidAt >= 0) {
    const reason = 'a \\u needs four hexadecimal digits (write \\\\ for \\)';
    throw source.unreadableAt(start + invalidAt, reason);
  }
  for (const { key, value, start: offset } of writtenValues(pair, source)) {
    budget.spend(offset, ENTRY_SIZE + key.length + value.length);
    if (key !== '') properties.set(key, { value, origin: source.originAt(offset) });
  }
}

/** The value of a pair, or the elements of `key[]`, lazily. */
export function* writtenValues(
  { key, value, range: [, , start, end] }: Required<Pair>,
  { text }: SourceText,
): Iterable<ValueSpan> {
  if (!key.endsWith('[]')) {
    yield { key, value, start, end };
    return;
  }
  let index = 0;
  for (const item of listItems(text.slice(start, end))) {
    const span = { start: start + item.start, end: start + item.end };
    yield { key: `${key.slice(0, -1)}${index}]`, value: item.value, ...span };
    index += 1;
  }
}

type ListItem = Omit<ValueSpan, 'key'>;

/** Splits at commas without a backslash before them; a comma at the end adds no element. */
function* listItems(written: string): Iterable<ListItem> {
  let start = 0;
  for (const { 0: sign, index } of written.matchAll(/\\[^]|,/g)) {
    if (sign !== ',') continue;
    yield listItem(written, start, index);
    start = index + 1;
  }
  const last = listItem(written, start, written.length);
  if (start === 0 || last.value !== '') yield last;
}

function listItem(written: string, start: number, end: number): ListItem {
  const raw = written.slice(start, end);
  const blank = /^(?:[ \t\f]|\\\n)*/.exec(raw)?.[0].length ?? 0;
  const [[, value = ''] = []] = parseLines(`=${raw}`) as string[][];
  return { value, start: start + blank, end };
}
