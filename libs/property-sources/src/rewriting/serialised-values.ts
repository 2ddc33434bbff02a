// The values of a YAML, `.properties` or XML text, with their positions.
import { parseLines, type Pair as Line } from 'dot-properties';
import {
  isAlias,
  isMap,
  isScalar,
  isSeq,
  type CST,
  type Document,
  type Node,
  type Pair,
  type Scalar,
} from 'yaml';
import { writtenValues } from '../properties-reader.js';
import type { SourceText } from '../source-text.js';
import { xmlEntries } from '../xml-reader.js';
import { yamlDocuments } from '../yaml-documents.js';
import { keyText } from '../yaml-nodes.js';
import { DOCUMENT_KEY, joined } from '../yaml-reader.js';
import { plainScalar } from '../yaml-scalar.js';

/** Offsets in a text; `end` is exclusive. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** A value and its position in a text. */
export interface SerialisedValue {
  readonly key: string;
  readonly value: string;
  /** Without quotes. */
  readonly span: Span;
  /** For a YAML block that keeps the line end after the text. */
  readonly blockHeader?: Span;
  /** In YAML: without quotes, and not in a block. */
  readonly isPlain?: boolean;
}

export function* propertiesValues(source: SourceText): Iterable<SerialisedValue> {
  for (const line of parseLines(source.text, true)) {
    if (line.type !== 'PAIR') continue;
    for (const { key, value, start, end } of writtenValues(line as Required<Line>, source)) {
      yield { key, value, span: { start, end } };
    }
  }
}

/** Each span has all that an entry holds: a ciphertext needs no entity and no `CDATA`. */
export function* xmlValues(source: SourceText): Iterable<SerialisedValue> {
  for (const { key, value, start, end } of xmlEntries(source)) {
    yield { key, value, span: { start, end } };
  }
}

/**
 * The scalars of a YAML text. A target of aliases counts once.
 *
 * @throws PropertySourceError SOURCE_UNREADABLE
 */
export function* yamlValues(source: SourceText): Iterable<SerialisedValue> {
  for (const document of yamlDocuments(source)) {
    const { contents } = document;
    for (const [key, node] of scalarsOf(contents, isMap(contents) ? '' : DOCUMENT_KEY, document)) {
      const position = positionOf(node, source.text);
      if (position) yield { key, value: String(node.value), ...position };
    }
  }
}

function* scalarsOf(
  node: Node | null,
  path: string,
  document: Document,
): Iterable<[key: string, node: Scalar]> {
  if (isMap(node)) {
    const isSet = node.tag === 'tag:yaml.org,2002:set';
    for (const [index, { key, value }] of (node.items as Pair<Node, Node | null>[]).entries()) {
      // The members of a set are its keys.
      if (isSet) yield* scalarsOf(key, `${path}[${index}]`, document);
      else yield* scalarsOf(value, joined(path, nameOf(key, document)), document);
    }
  } else if (isSeq(node)) {
    for (const [index, item] of node.items.entries()) {
      yield* scalarsOf(item as Node, `${path}[${index}]`, document);
    }
  } else if (isScalar(node)) {
    yield [path, node];
  }
}

function nameOf(key: Node, document: Document): string {
  const node = isAlias(key) ? key.resolve(document) : key;
  if (!isScalar(node)) return '?';
  const text = String(node.value);
  return keyText(node.type === 'PLAIN' ? plainScalar(text) : text);
}

function positionOf(
  { srcToken, range }: Scalar,
  text: string,
): Omit<SerialisedValue, 'key' | 'value'> | undefined {
  const [start = 0, end = 0] = range ?? [];
  switch (srcToken?.type) {
    case 'single-quoted-scalar':
    case 'double-quoted-scalar':
      return { span: { start: start + 1, end: end - 1 } };
    case 'block-scalar':
      return positionOfBlock(srcToken, end, text);
    case 'scalar':
      return { span: { start, end }, isPlain: true };
    default:
      return undefined;
  }
}

function positionOfBlock(
  token: CST.BlockScalar,
  end: number,
  text: string,
): Pick<SerialisedValue, 'span' | 'blockHeader'> {
  const span = contentOf(token, end, text);
  const header = token.props.find(({ type }) => type === 'block-scalar-header');
  if (!header || !('source' in header) || header.source.includes('-')) return { span };
  const { offset, source } = header;
  return { span, blockHeader: { start: offset, end: offset + source.length } };
}

/** From the first character to the end of the last non-blank line. */
function contentOf({ source }: CST.BlockScalar, end: number, text: string): Span {
  const first = end - source.length;
  const indentation = source.length - source.trimStart().length;
  const content = source.trimEnd().length;
  const blanks = /^[ \t]*/.exec(text.slice(first + content, end))?.[0].length ?? 0;
  return { start: first + indentation, end: first + content + blanks };
}
