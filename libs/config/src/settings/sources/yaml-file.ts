// Reads YAML files as trees of raw values with their line numbers.
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
import { explainYamlError, PropertySourceError, yamlTokens } from '@tessera/property-sources';
import type { ReportedViolation } from '../violation.js';
import { leavesOf, type RawContent, type RawEntry, type RawValue } from '../raw-value.js';
import { isActiveDocument } from './active-document.js';
import type { ParsedSettingsFile } from './file-contents.js';

/** Aliases of aliases can multiply values without bound. */
const MAX_VALUES = 10_000;

const MAX_VIOLATIONS = 100;

/**
 * Reads a YAML file. Of several documents in it, a later one overrides an earlier one; one of other profiles does not count.
 * A file with an error has no entries.
 * Violations never quote the text: it may be a secret.
 *
 * @param name the file name, for origins
 */
export function parseYamlFile(
  text: string,
  name: string,
  profiles: readonly string[] = [],
): ParsedSettingsFile {
  const lines = linesOf(text);
  const originAt = (offset: number): string => `${name}:${lines.linePos(offset).line}`;
  let documents: readonly Document.Parsed[];
  try {
    documents = documentsOf(text);
  } catch (error) {
    if (!(error instanceof YamlLimitError)) throw error;
    return {
      entries: [],
      violations: [{ message: error.message, origin: originAt(error.offset) }],
    };
  }
  const yamlErrors = documents.flatMap(({ errors, warnings }) => [...errors, ...warnings]);
  const found = [
    ...yamlErrors.slice(0, MAX_VIOLATIONS).map((error) => explainYamlError(error, text)),
    ...documents.flatMap(duplicateKeys),
  ];
  if (found.length > 0) {
    const violations = found
      .toSorted((one, other) => one.offset - other.offset)
      .slice(0, MAX_VIOLATIONS)
      .map(({ offset, reason }): ReportedViolation => ({
        message: reason,
        origin: originAt(offset),
      }));
    return { entries: [], violations };
  }
  const converter = new YamlConverter(originAt);
  const parts = documents.map((document) => converter.entriesOf(document));
  if (converter.violations.length > 0) return { entries: [], violations: converter.violations };
  return activeEntries(parts, name, profiles);
}

function activeEntries(
  documents: ReadonlyArray<readonly RawEntry[]>,
  name: string,
  profiles: readonly string[],
): ParsedSettingsFile {
  try {
    const active = documents.filter((entries) => isActiveDocument(entries, name, profiles));
    return { entries: active.flat(), violations: [], warnings: active.flatMap(repeatedKeys) };
  } catch (error) {
    if (!(error instanceof PropertySourceError)) throw error;
    const origin = `${name}:${error.line}`;
    return { entries: [], violations: [{ message: error.reason, origin }] };
  }
}

/** Keys that one document sets twice, in two ways: `a.b: 1` and `a: {b: 2}`. The parser reports those of one way. */
function repeatedKeys(entries: readonly RawEntry[]): string[] {
  const origins = new Map<string, string>();
  return entries.flatMap(leavesOf).flatMap(({ key, value: { origin } }) => {
    const earlier = origins.get(key);
    origins.set(key, origin);
    return earlier === undefined
      ? []
      : [`${key} is set twice: ${origin} counts, ${earlier} does not`];
  });
}

/** The text exceeds a limit of the parser. */
class YamlLimitError extends RangeError {
  constructor(
    readonly offset: number,
    reason: string,
  ) {
    super(reason);
  }
}

/** @throws YamlLimitError */
function documentsOf(text: string): readonly Document.Parsed[] {
  const tokens = yamlTokens(text, (offset, reason) => new YamlLimitError(offset, reason));
  // `duplicateKeys` finds duplicates in linear time; the composer's own check is quadratic.
  const composer = new Composer({ prettyErrors: false, stringKeys: true, uniqueKeys: false });
  return [...composer.compose(tokens)] as Document.Parsed[];
}

function linesOf(text: string): LineCounter {
  const lines = new LineCounter();
  lines.addNewLine(0);
  for (const { index } of text.matchAll(/\n/g)) lines.addNewLine(index + 1);
  return lines;
}

/** Worded as the parser's own error. */
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

/** Converts parsed documents to raw values. Follows aliases, but not in cycles. */
class YamlConverter {
  readonly violations: ReportedViolation[] = [];
  readonly #originAt: (offset: number) => string;
  #values = 0;

  constructor(originAt: (offset: number) => string) {
    this.#originAt = originAt;
  }

  entriesOf(document: Document.Parsed): RawEntry[] {
    const top: Node | null = document.contents;
    if (top === null || (isScalar(top) && top.value === null)) return [];
    if (isMap(top)) return this.#members(top, document, [top]);
    this.#reject(top, 'must hold keys with values');
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
    if (node === null || this.violations.length > 0) return null;
    if (this.#values > MAX_VALUES) return this.#reject(node, 'holds too many values');
    if (isAlias(node)) {
      const target = node.resolve(document);
      if (target && !within.includes(target)) return this.#content(target, document, within);
      return this.#reject(
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

  #reject(node: Node, message: string): null {
    this.violations.push({ message, origin: this.#origin(node) });
    return null;
  }

  #origin(node: Node): string {
    return this.#originAt(node.range?.[0] ?? 0);
  }
}
