// Owns the reading of `.properties` text as Spring Boot does: documents of keys with their values and their places.
import { parseLines, type Comment, type Pair } from 'dot-properties';
import { withActivation } from './activation.js';
import { ContentBudget, ENTRY_SIZE, refuseManyDocuments } from './content-budget.js';
import type { Properties, Property, PropertyDocument } from './property-document.js';
import { SourceText } from './source-text.js';

/** An escape such as `\u12`, or a Windows path that looks like one. */
const BROKEN_ESCAPE = /(?<!\\)(?:\\\\)*\\u(?![0-9a-fA-F]{4})/;

const SEPARATOR = /^[#!]---[ \t\f]*$/;

/**
 * The documents of a file, which lines of `#---` or `!---` part; those without a key are left out. Values are texts. Of a
 * key given twice the last counts. `key[]=a,b` gives `key[0]` and `key[1]`.
 *
 * @param name the file as people know it, for errors
 * @throws PropertySourceError SOURCE_UNREADABLE for an escape of too few digits, profiles that nobody can read, and what comes to too
 *   much
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

/** A value, and where in the text it is written. */
export interface WrittenValue {
  readonly key: string;
  readonly value: string;
  readonly start: number;
  readonly end: number;
}

/** Which document a line belongs to. */
class Documents {
  readonly #finished: Map<string, Property>[] = [];
  #current = new Map<string, Property>();
  #prefixAbove = '';

  current(): Map<string, Property> {
    this.#prefixAbove = '';
    return this.#current;
  }

  /** Next to a comment a separator is one as well, and parts nothing. */
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
  const broken = source.text.slice(start, end).search(BROKEN_ESCAPE);
  if (broken >= 0) {
    const reason = 'a \\u needs four hexadecimal digits (write \\\\ for \\)';
    throw source.unreadableAt(start + broken, reason);
  }
  for (const { key, value, start: offset } of writtenValues(pair, source)) {
    budget.spend(offset, ENTRY_SIZE + key.length + value.length);
    if (key !== '') properties.set(key, { value, origin: source.originAt(offset) });
  }
}

/** What a pair gives: one value, or the elements of `key[]`, each when it is asked for. */
export function* writtenValues(
  { key, value, range: [, , start, end] }: Required<Pair>,
  { text }: SourceText,
): Iterable<WrittenValue> {
  if (!key.endsWith('[]')) {
    yield { key, value, start, end };
    return;
  }
  let index = 0;
  for (const item of listItems(text.slice(start, end))) {
    const place = { start: start + item.start, end: start + item.end };
    yield { key: `${key.slice(0, -1)}${index}]`, value: item.value, ...place };
    index += 1;
  }
}

type ListItem = Omit<WrittenValue, 'key'>;

/** Commas part them unless a backslash stands in front; a comma at the end begins no other. */
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
