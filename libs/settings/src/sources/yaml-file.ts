// Owns the reading of YAML text: trees of raw values with the lines they stand on.
import {
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  parseAllDocuments,
  type Document,
  type Node,
  type YAMLMap,
} from 'yaml';
import { explainYamlFault } from '@tessera/property-sources';
import type { Problem } from '../problem.js';
import type { RawContent, RawEntry, RawValue } from '../raw-value.js';
import type { ParsedFile } from './parsed-file.js';

/** More values than any settings file has; aliases of aliases reach it at once. */
const MAX_VALUES = 10_000;

/**
 * The documents of a file, one after another (so that a later one beats an earlier one). A file
 * with an error gives no values. Problems never quote the text: it may be a secret.
 *
 * @param name the file as people know it, for origins
 */
export function parseYamlFile(text: string, name: string): ParsedFile {
  const lines = new LineCounter();
  const documents = parseAllDocuments(text, {
    lineCounter: lines,
    prettyErrors: false,
    stringKeys: true,
  });
  if ('empty' in documents) return { entries: [], problems: [] };
  const originAt = (offset: number): string => `${name}:${lines.linePos(offset).line}`;
  const faults = documents.flatMap(({ errors, warnings }) => [...errors, ...warnings]);
  if (faults.length > 0) {
    const problems = faults.map((fault): Problem => {
      const { offset, reason } = explainYamlFault(fault, text);
      return { message: reason, origin: originAt(offset) };
    });
    return { entries: [], problems };
  }
  const reading = new YamlReading(originAt);
  const entries = documents.flatMap((document) => reading.entriesOf(document));
  return { entries: reading.problems.length > 0 ? [] : entries, problems: reading.problems };
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
