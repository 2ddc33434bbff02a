// Owns the reading of YAML text: trees of raw values with the lines they stand on.
import {
  Composer,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  visit,
  type Document,
  type Node,
  type YAMLMap,
} from 'yaml';
import { explainYamlFault, yamlTokens } from '@tessera/property-sources';
import type { Problem } from '../problem.js';
import type { RawContent, RawEntry, RawValue } from '../raw-value.js';
import type { FileValues } from './file-values.js';

/** More values than any settings file has; aliases of aliases reach it at once. */
const MAX_VALUES = 10_000;
/** Nobody reads more. */
const MOST_PROBLEMS = 100;

/**
 * The documents of a file, one after another (so that a later one beats an earlier one). A file
 * with an error gives no values. Problems never quote the text: it may be a secret.
 *
 * @param name the file as people know it, for origins
 */
export function parseYamlFile(text: string, name: string): FileValues {
  const lines = linesOf(text);
  const originAt = (offset: number): string => `${name}:${lines.linePos(offset).line}`;
  let documents: readonly Document.Parsed[];
  try {
    documents = documentsOf(text);
  } catch (error) {
    if (!(error instanceof TooMuch)) throw error;
    return { entries: [], problems: [{ message: error.message, origin: originAt(error.offset) }] };
  }
  const faults = documents.flatMap(({ errors, warnings }) => [...errors, ...warnings]);
  const found = [
    ...faults.slice(0, MOST_PROBLEMS).map((fault) => explainYamlFault(fault, text)),
    ...documents.flatMap(duplicateKeys),
  ];
  if (found.length > 0) {
    const problems = found
      .toSorted((one, other) => one.offset - other.offset)
      .slice(0, MOST_PROBLEMS)
      .map(({ offset, reason }): Problem => ({ message: reason, origin: originAt(offset) }));
    return { entries: [], problems };
  }
  const reading = new YamlReading(originAt);
  const entries = documents.flatMap((document) => reading.entriesOf(document));
  return { entries: reading.problems.length > 0 ? [] : entries, problems: reading.problems };
}

/** There is more in a text than can be read while everybody waits. */
class TooMuch extends RangeError {
  constructor(
    readonly offset: number,
    reason: string,
  ) {
    super(reason);
  }
}

/** @throws TooMuch */
function documentsOf(text: string): readonly Document.Parsed[] {
  const tokens = yamlTokens(text, (offset, reason) => new TooMuch(offset, reason));
  // Keys given twice are looked for by ourselves: here that takes time without bound.
  const composer = new Composer({ prettyErrors: false, stringKeys: true, uniqueKeys: false });
  return [...composer.compose(tokens)] as Document.Parsed[];
}

function linesOf(text: string): LineCounter {
  const lines = new LineCounter();
  lines.addNewLine(0);
  for (const { index } of text.matchAll(/\n/g)) lines.addNewLine(index + 1);
  return lines;
}

/** In the words of the parser, which would find them too. */
function duplicateKeys(document: Document.Parsed): { offset: number; reason: string }[] {
  const found: { offset: number; reason: string }[] = [];
  visit(document, {
    Map: (_, { items }) => {
      const known = new Set<unknown>();
      for (const { key } of items) {
        if (!isScalar(key)) continue;
        if (known.has(key.value)) {
          found.push({ offset: key.range?.[0] ?? 0, reason: 'is not valid YAML: duplicate key' });
        }
        known.add(key.value);
      }
    },
  });
  return found;
}

/** Goes through parsed documents once; aliases are followed, but not in circles. */
class YamlReading {
  readonly problems: Problem[] = [];
  readonly #originAt: (offset: number) => string;
  #values = 0;

  constructor(originAt: (offset: number) => string) {
    this.#originAt = originAt;
  }

  entriesOf(document: Document.Parsed): RawEntry[] {
    const top: Node | null = document.contents;
    if (top === null || (isScalar(top) && top.value === null)) return [];
    if (isMap(top)) return this.#members(top, document, [top]);
    this.#fault(top, 'must hold keys with values');
    return [];
  }

  #members(tree: YAMLMap, document: Document.Parsed, within: readonly Node[]): RawEntry[] {
    return tree.items.map((pair) => {
      const key = pair.key as Node;
      const origin = this.#origin(key);
      const content = this.#content(pair.value as Node | null, document, within);
      return { key: isScalar(key) ? String(key.value) : '', value: { content, origin } };
    });
  }

  #content(node: Node | null, document: Document.Parsed, within: readonly Node[]): RawContent {
    this.#values += 1;
    if (node === null || this.problems.length > 0) return null;
    if (this.#values > MAX_VALUES) return this.#fault(node, 'holds too many values');
    if (isAlias(node)) {
      const target = node.resolve(document);
      if (target && !within.includes(target)) return this.#content(target, document, within);
      return this.#fault(
        node,
        'an alias (*name) leads nowhere or to itself; or quotes are missing',
      );
    }
    if (isScalar(node)) return node.value === null ? null : (node.source ?? null);
    const inside = [...within, node];
    if (isSeq(node)) {
      return node.items.map((item) => this.#element(item as Node, document, inside));
    }
    if (!isMap(node)) return null;
    const members = this.#members(node, document, inside);
    return new Map(members.map(({ key, value }) => [key, value]));
  }

  #element(node: Node, document: Document.Parsed, within: readonly Node[]): RawValue {
    return { content: this.#content(node, document, within), origin: this.#origin(node) };
  }

  #fault(node: Node, message: string): null {
    this.problems.push({ message, origin: this.#origin(node) });
    return null;
  }

  #origin(node: Node): string {
    return this.#originAt(node.range?.[0] ?? 0);
  }
}
